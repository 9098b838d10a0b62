#!/usr/bin/env python3
"""The tools of `vancura mcp` in the hands of the client of the official SDK for Python, which checks every result by the
schema of its tool.

    python3 mcp_client.py ENGINE

Needs `pip install mcp`.
"""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
GAME = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"

# Each tool with arguments, and with what its result must have.
CALLS = {
    "analyse": ({"position": MATE, "nodes": 1000, "multipv": 2}, {"best": "d1d8", "turn": "white"}),
    "compare_moves": ({"position": MATE, "candidates": ["Rd8", "Rd7"], "nodes": 1000}, {"best": "Rd8#"}),
    "explain_move": ({"position": MATE, "move": "Rd7", "nodes": 1000}, {"san": "Rd7", "best": False}),
    "review_game": ({"pgn": GAME, "nodes": 1000}, {"Result": "1-0", "plies": 7}),
    "mate": ({"position": MATE, "mate_in": 1}, {"answer": "yes", "mate": 1}),
    "tablebase": ({"position": STALEMATE}, {"by": "rules", "result": "draw"}),
    "rules": ({"position": STALEMATE}, {"end": "stalemate", "legal_moves": []}),
}


def field(result, *names):
    """A field that versions of the SDK call differently."""
    return next(getattr(result, name) for name in names if hasattr(result, name))


async def main(engine):
    server = StdioServerParameters(command=engine, args=["mcp", "--threads", "2"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        greeting = await session.initialize()
        assert field(greeting, "server_info", "serverInfo").name == "vancura", greeting
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == list(CALLS), tools
        assert all(field(tool, "output_schema", "outputSchema") for tool in tools), tools

        for name, (arguments, expected) in CALLS.items():
            result = await session.call_tool(name, arguments)
            assert not field(result, "is_error", "isError"), (name, result)
            found = field(result, "structured_content", "structuredContent")
            assert expected.items() <= found.items(), (name, found)
            assert result.content[0].text, (name, result)

        wrong = await session.call_tool("rules", {"position": "nonsense"})
        assert field(wrong, "is_error", "isError"), wrong

        seen = []

        async def progress(done, total, message):
            seen.append((done, total))

        await session.call_tool("review_game", {"pgn": GAME, "nodes": 20000}, progress_callback=progress)
        assert seen and all(done <= total == 8 for done, total in seen), seen

        together = [session.call_tool("analyse", {"position": MATE, "nodes": 1000 + 100 * index}) for index in range(20)]
        for result in await asyncio.gather(*together):
            assert field(result, "structured_content", "structuredContent")["best"] == "d1d8", result
    print(f"{len(CALLS)} tools answer")


asyncio.run(main(sys.argv[1]))
