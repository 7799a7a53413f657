//===- HoverProxy.cpp - Additions to the language server ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoverProxy.h"

#include "BufferHover.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <csignal>
#include <cstdio>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace memplan;
using namespace llvm;
using llvm::lsp::JSONStreamStyle;

namespace {

class Proxy {
public:
  Proxy(JSONStreamStyle style, FILE *toServer, FILE *fromServer,
        const mlir::DialectRegistry &registry)
      : style(style), toServer(toServer), fromServer(fromServer),
        registry(registry) {}

  /// Until the client ends.
  void passRequests() {
    llvm::lsp::JSONTransportInputOverFile input(stdin, style);
    std::string message;
    while (!input.isEndOfInput() && !input.hasError()) {
      if (failed(input.readMessage(message)))
        continue;
      if (Expected<json::Value> value = json::parse(message))
        noteRequest(*value);
      else
        consumeError(value.takeError());
      if (style == JSONStreamStyle::Delimited)
        std::fprintf(toServer, "%s\n// -----\n", message.c_str());
      else
        writeStandard(toServer, message);
      std::fflush(toServer);
    }
    std::fclose(toServer);
  }

  /// Until the server ends.
  void passAnswers() {
    llvm::lsp::JSONTransportInputOverFile input(fromServer);
    std::string message;
    while (!input.isEndOfInput() && !input.hasError()) {
      if (failed(input.readMessage(message)))
        continue;
      writeStandard(stdout, addToAnswer(message));
      std::fflush(stdout);
    }
  }

private:
  static void writeStandard(FILE *file, StringRef message) {
    std::fprintf(file, "Content-Length: %zu\r\n\r\n", message.size());
    std::fwrite(message.data(), 1, message.size(), file);
  }

  template <typename Params>
  static std::optional<Params> read(const json::Value &value) {
    Params params;
    json::Path::Root root;
    if (fromJSON(value, params, root))
      return params;
    return std::nullopt;
  }

  /// Follows the texts of the documents and keeps what to add to hovers.
  void noteRequest(const json::Value &message) {
    const json::Object *object = message.getAsObject();
    const json::Value *params = object ? object->get("params") : nullptr;
    std::optional<StringRef> method =
        object ? object->getString("method") : std::nullopt;
    if (!params || !method)
      return;
    const json::Object *document =
        params->getAsObject() ? params->getAsObject()->getObject("textDocument")
                              : nullptr;
    std::optional<StringRef> uri =
        document ? document->getString("uri") : std::nullopt;
    if (!uri)
      return;
    if (*method == "textDocument/didOpen") {
      texts[*uri] = document->getString("text").value_or("").str();
    } else if (*method == "textDocument/didClose") {
      texts.erase(*uri);
    } else if (*method == "textDocument/didChange") {
      if (auto change = read<llvm::lsp::DidChangeTextDocumentParams>(*params))
        (void)llvm::lsp::TextDocumentContentChangeEvent::applyTo(
            change->contentChanges, texts[*uri]);
    } else if (*method == "textDocument/hover" && object->get("id")) {
      auto position = read<llvm::lsp::TextDocumentPositionParams>(*params);
      if (!position)
        return;
      std::string text = memplan::lsp::describeBufferAt(
          texts[*uri], position->position.line, position->position.character,
          registry);
      if (text.empty())
        return;
      std::lock_guard<std::mutex> lock(mutex);
      additions[keyOf(*object->get("id"))] = std::move(text);
    }
  }

  /// The message with what is to be added to it.
  std::string addToAnswer(const std::string &message) {
    Expected<json::Value> value = json::parse(message);
    if (!value) {
      consumeError(value.takeError());
      return message;
    }
    json::Object *object = value->getAsObject();
    const json::Value *id = object ? object->get("id") : nullptr;
    if (!id || object->get("method"))
      return message;
    std::string text;
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto found = additions.find(keyOf(*id));
      if (found == additions.end())
        return message;
      text = std::move(found->second);
      additions.erase(found);
    }
    json::Object *result = object->getObject("result");
    json::Object *contents = result ? result->getObject("contents") : nullptr;
    if (contents) {
      std::string own = contents->getString("value").value_or("").str();
      (*contents)["value"] = text + "\n\n***\n" + own;
    } else if (object->get("result")) {
      (*object)["result"] =
          json::Object{{"contents", json::Object{{"kind", "markdown"},
                                                 {"value", std::move(text)}}}};
    }
    // As the server wrote it: on several lines, or on one.
    return message.find('\n') == message.npos ? formatv("{0}", *value).str()
                                              : formatv("{0:2}", *value).str();
  }

  static std::string keyOf(const json::Value &id) {
    return formatv("{0}", id).str();
  }

  JSONStreamStyle style;
  FILE *toServer, *fromServer;
  const mlir::DialectRegistry &registry;
  /// By URI.
  StringMap<std::string> texts;
  std::mutex mutex;
  /// By the id of the request.
  StringMap<std::string> additions;
};

} // namespace

int memplan::lsp::runWithHover(unique_function<int()> server,
                               JSONStreamStyle style,
                               const mlir::DialectRegistry &registry) {
  int input[2], output[2];
  if (pipe(input) != 0 || pipe(output) != 0)
    return server();
  pid_t child = fork();
  if (child < 0)
    return server();
  if (child == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    for (int end : {input[0], input[1], output[0], output[1]})
      close(end);
    return server();
  }
  close(input[0]);
  close(output[1]);
  // A server that has ended shows as the end of its output.
  std::signal(SIGPIPE, SIG_IGN);
  Proxy proxy(style, fdopen(input[1], "w"), fdopen(output[0], "r"), registry);
  std::thread([&proxy] { proxy.passRequests(); }).detach();
  proxy.passAnswers();
  int status = 0;
  waitpid(child, &status, 0);
  std::fflush(stdout);
  // The other thread may still wait for the client.
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
