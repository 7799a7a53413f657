#!/usr/bin/env bash
# fresh_machine.sh FOLDER PACKAGE MODEL SOURCE
# Makes a minimal Debian system in FOLDER/root and installs PACKAGE there with apt,
# then compilers, Python, the stock mlir-opt and a browser. A C++ program, a C program,
# Python, mlir-opt and the tools plan MODEL, and their plans must agree to the byte. Only
# the users' programs are copied from the source tree SOURCE. Needs root, debootstrap
# and Debian's archive.
set -euo pipefail
folder=$1 package=$2 model=$3 source=$4
root=$folder/root
if [[ ${FRESH_MACHINE_INSIDE-} != 1 ]]; then
  # A mount namespace of its own: the mounts go when the script ends.
  FRESH_MACHINE_INSIDE=1 exec unshare --mount "$BASH" "$0" "$@"
fi
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LC_ALL=C \
    DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
}

mkdir -p "$folder"
if [[ ! -f $folder/is-made ]]; then
  rm -rf "$root"
  debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian
  printf 'deb http://deb.debian.org/%s main\n' "debian bookworm" \
    "debian bookworm-updates" "debian-security bookworm-security" \
    >"$root/etc/apt/sources.list"
  touch "$folder/is-made"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp "$package" "$root/srv/memplan.deb"
inside apt-get -q update
inside apt-get -q -y --no-install-recommends install /srv/memplan.deb
inside memplan-opt --version
inside apt-get -q -y --no-install-recommends install \
  g++ cmake ninja-build python3 libmlir-22-dev llvm-22-dev mlir-22-tools chromium

rm -rf "$root/srv/work"
mkdir "$root/srv/work"
cp -r "$source/test/Install/Inputs/agree" "$source/test/tools/check_page.py" \
  "$root/srv/work"
cp "$model" "$root/srv/work/model.mlir"
inside bash -euxc '
  cd /srv/work
  cmake -G Ninja -S agree -B build
  cmake --build build
  ./build/plan-cxx model.mlir cxx.json > cxx.mlir
  ./build/plan-c model.mlir c.json > c.mlir
  /usr/bin/python3 agree/plan.py model.mlir python.json page.html > python.mlir
  mlir-opt-22 --load-pass-plugin=/usr/lib/$(uname -m)-linux-gnu/MemPlanPlugin.so \
    --pass-pipeline="builtin.module(plan-memory{report=json report-file=plugin.json})" \
    model.mlir > plugin.mlir
  memplan-opt --plan-memory="report=json report-file=opt.json" model.mlir > opt.mlir
  grep -q memplan.arena opt.mlir
  for door in cxx c python plugin; do
    cmp opt.mlir $door.mlir
    cmp opt.json $door.json
  done
  /usr/bin/python3 check_page.py chromium $PWD/page.html opt.json
'
echo "five doors agree on a fresh machine"
