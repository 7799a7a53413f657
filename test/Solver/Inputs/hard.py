"""Prints a problem that the strategy exact does not solve within minutes."""
import random

source = random.Random(1)
print("id,lower,upper,size,alignment")
for i in range(300):
    start = source.randrange(128)
    size = source.randrange(1, 33)
    print(f"{i},{start},{start + source.randrange(1, 33)},{size},{source.choice([1, 4, 16, 64])}")
