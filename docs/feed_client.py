#!/usr/bin/env python3
"""Follows a hall's feed: what is at every table, and every change of it.

    python3 feed_client.py http://hub:8080 [SECONDS]

Prints a line for each change; after SECONDS, the newest state of every table as JSON. Needs nothing but Python.
"""
import json
import os
import sys
import threading
import time
import urllib.request


def events(url, place):
    """The stream's events: name, data, and the place to go on from."""
    request = urllib.request.Request(url, headers={"Last-Event-ID": place} if place else {})
    # Something comes every five seconds; a connection that is silent for longer is lost.
    with urllib.request.urlopen(request, timeout=15) as stream:
        name, data, at = "message", [], None
        for line in stream:
            field, _, value = line.decode("utf-8").rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
            elif field == "id":
                at = value
            elif field == "" and data:
                yield name, json.loads("\n".join(data)), at
                name, data, at = "message", [], None


def take(tables, name, data):
    """What an event does to what is known. Of names that are not known, nothing."""
    if name == "snapshot":
        tables.clear()
    elif name == "table":
        tables[data["table"]] = data
    elif name == "removed":
        tables.pop(data["table"], None)
    elif name == "moves":
        view = tables[data["table"]]["view"]
        # One more move, or a correction: what was there from this half-move on is void.
        view["moves"][data["from_ply"] :] = data["moves"]
        for changed in ("fen", "clocks", "result", "started", "paused"):
            view[changed] = data[changed]


def told(table):
    view = table["view"]
    moves = view["moves"]
    last = f"{(len(moves) + 1) // 2}{'.' if len(moves) % 2 else '...'} {moves[-1]['san']}" if moves else "-"
    return f"table {table['table']}: {table['white']['name']} - {table['black']['name']}: {last} {view['result']}"


def main():
    url = sys.argv[1].rstrip("/") + "/api/hall/feed?changes=moves"
    tables, lock, place = {}, threading.Lock(), None

    def end():
        with lock:
            print(json.dumps([tables[number] for number in sorted(tables)]), flush=True)
            os._exit(0)

    if len(sys.argv) > 2:
        threading.Timer(float(sys.argv[2]), end).start()
    while True:
        try:
            for name, data, at in events(url, place):
                with lock:
                    take(tables, name, data)
                    place = at or place
                    if name in ("table", "moves"):
                        print(told(tables[data["table"]]), flush=True)
        except OSError as error:
            print(f"the feed is lost, and asked for again: {error}", file=sys.stderr)
        time.sleep(1)


if __name__ == "__main__":
    main()
