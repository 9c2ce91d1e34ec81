"""An HTTP server in place of a language model: it requests one call of each default tool.

Coding agents are given its address, so that no account is needed. It records the tools that they
offer and the results of the calls. Protocols: Anthropic Messages, OpenAI Chat Completions and
Responses, Gemini.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Call = tuple[str, str, dict[str, Any]]
"""Id, name and arguments."""
DONE = "done"
MOST_TURNS = 6
PRELUDE: dict[str, dict[str, Any]] = {
    "WaitForMcpServers": {},
    "tool_search": {"query": "codeindex", "max_results": 20},
    "bash": {"command": "sleep 3", "description": "wait"},
}
"""What is asked for where our tools are not offered yet: servers are started in the background."""


@dataclass(slots=True)
class Heard:
    """What an agent has sent to the model."""

    offered: set[str] = field(default_factory=set)
    """Names of tools."""
    answers: dict[str, str] = field(default_factory=dict)
    """Results of tool calls as JSON, by the id of the call."""
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Model:
    """The address of the model, and what it heard."""

    url: str
    heard: Heard


@contextmanager
def stand_in_model(wanted: Mapping[str, dict[str, Any]]) -> Iterator[Model]:
    """Serve a model that asks for these tools, by the ends of their names, with these arguments."""
    heard = Heard()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send("application/json", json.dumps({"data": [{"id": "m"}], "models": []}))

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size) or b"{}")
            speak = next((speak for end, speak in SPEAKERS.items() if end in self.path), None)
            if speak is None:
                self._send("application/json", "{}")
                return
            self._send(*speak(body, heard, wanted))

        def _send(self, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield Model(f"http://127.0.0.1:{server.server_port}", heard)
        finally:
            server.shutdown()
            thread.join()


def asked(
    offered: list[str], answers: Mapping[str, Any], heard: Heard, wanted: Mapping[str, Any]
) -> list[Call]:
    """Note what was sent, and return the calls to make now: all, unless they were answered."""
    if not offered:  # a question aside, for the title of a session
        return []
    heard.offered |= set(offered)
    heard.turns += 1
    heard.answers |= {
        one: json.dumps(answer) for one, answer in answers.items() if one.startswith("call_")
    }
    if heard.answers or heard.turns > MOST_TURNS:
        return []
    calls = [
        (f"call_{end}", name, arguments)
        for end, arguments in wanted.items()
        for name in offered
        if name.endswith(end)
    ]
    waits = ((name, PRELUDE[name]) for name in PRELUDE if name in offered)
    return calls or [(f"wait_{heard.turns}", *one) for one in waits][:1]


def messages(body: Any, heard: Heard, wanted: Mapping[str, Any]) -> tuple[str, str]:
    parts = [part for one in body["messages"] for part in parts_of(one["content"])]
    results = [part for part in parts if part["type"] == "tool_result"]
    answers = {one["tool_use_id"]: one.get("content") for one in results}
    calls = asked([one["name"] for one in body.get("tools", [])], answers, heard, wanted)
    blocks: list[dict[str, Any]] = [
        {"type": "tool_use", "id": one, "name": name, "input": arguments}
        for one, name, arguments in calls
    ] or [{"type": "text", "text": DONE}]
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": blocks,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not body.get("stream"):
        return "application/json", json.dumps(message)
    return "text/event-stream", "".join(message_events(message))


def parts_of(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def message_events(message: dict[str, Any]) -> Iterator[str]:
    def event(name: str, **values: Any) -> str:
        return f"event: {name}\ndata: {json.dumps({'type': name, **values})}\n\n"

    yield event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        is_text = block["type"] == "text"
        start = {**block, "text": ""} if is_text else {**block, "input": {}}
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        yield event("content_block_start", index=index, content_block=start)
        yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=stop, usage={"output_tokens": 1})
    yield event("message_stop")


def completions(body: Any, heard: Heard, wanted: Mapping[str, Any]) -> tuple[str, str]:
    results = [one for one in body["messages"] if one["role"] == "tool"]
    answers = {one["tool_call_id"]: one["content"] for one in results}
    offered = [one["function"]["name"] for one in body.get("tools") or []]
    calls = asked(offered, answers, heard, wanted)
    message: dict[str, Any] = {"role": "assistant", "content": None if calls else DONE}
    if calls:
        message["tool_calls"] = [
            {
                "index": index,
                "id": one,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for index, (one, name, arguments) in enumerate(calls)
        ]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    base = {"id": "c1", "created": 1, "model": "m", "usage": usage}
    end = {"index": 0, "finish_reason": "tool_calls" if calls else "stop"}
    if not body.get("stream"):
        choice = {**end, "message": message}
        whole = {**base, "object": "chat.completion", "choices": [choice]}
        return "application/json", json.dumps(whole)
    chunk = {**base, "object": "chat.completion.chunk"}
    first = {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    last = {**chunk, "choices": [{**end, "delta": {}}]}
    lines = [f"data: {json.dumps(one)}\n\n" for one in (first, last)]
    return "text/event-stream", "".join([*lines, "data: [DONE]\n\n"])


def responses(body: Any, heard: Heard, wanted: Mapping[str, Any]) -> tuple[str, str]:
    items = body["input"] if isinstance(body["input"], list) else []
    results = [one for one in items if one.get("type") == "function_call_output"]
    answers = {one["call_id"]: one["output"] for one in results}
    names = {name: space for space, name in spaced(body.get("tools") or [])}
    calls = asked([*names], answers, heard, wanted)
    output: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"fc_{one}",
            "call_id": one,
            "name": name,
            **({"namespace": names[name]} if names[name] else {}),
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
        for one, name, arguments in calls
    ] or [
        {
            "type": "message",
            "id": "m1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": DONE, "annotations": []}],
        }
    ]
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": "r1", "object": "response", "status": "completed", "output": output}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "output": []}}
    ]
    for index, item in enumerate(output):
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    events.append({"type": "response.completed", "response": {**whole, "usage": usage}})
    lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]
    return "text/event-stream", "".join(lines)


def spaced(tools: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield namespace and name of each tool; most are in none."""
    for tool in tools:
        if tool.get("type") == "namespace":
            yield from ((tool["name"], one["name"]) for one in tool.get("tools", []))
        elif "name" in tool:
            yield "", tool["name"]


def contents(body: Any, heard: Heard, wanted: Mapping[str, Any]) -> tuple[str, str]:
    parts = [part for one in body.get("contents", []) for part in one.get("parts", [])]
    results = [part["functionResponse"] for part in parts if "functionResponse" in part]
    answers = {f"call_{one['name']}": one["response"] for one in results}
    groups = [one.get("functionDeclarations", []) for one in body.get("tools", [])]
    calls = asked([one["name"] for group in groups for one in group], answers, heard, wanted)
    said: list[dict[str, Any]] = [
        {"functionCall": {"name": name, "args": arguments}} for _, name, arguments in calls
    ] or [{"text": DONE}]
    answer = {
        "candidates": [
            {"index": 0, "content": {"role": "model", "parts": said}, "finishReason": "STOP"}
        ],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    }
    return "text/event-stream", f"data: {json.dumps(answer)}\n\n"


SPEAKERS = {
    "/messages": messages,
    "/chat/completions": completions,
    "/responses": responses,
    ":streamGenerateContent": contents,
}
