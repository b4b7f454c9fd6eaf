"""Pairing engines of others, asked from a test: `engines.py ENGINE pair TRF ROUND PAIRS` and `engines.py ENGINE points TRF`."""

import json
import sys
from pathlib import Path

WORTH = {"1": 10, "+": 10, "W": 10, "F": 10, "U": 10, "=": 5, "D": 5, "H": 5}


def py4swiss_pair(trf, _number, pairs):
    from py4swiss.main import main

    # Its own command, which writes its own file.
    sys.argv = ["py4swiss", "--strict", "--trf", trf, "--pairings", pairs]
    main()


def py4swiss_points(trf):
    from py4swiss.trf import TrfParser

    # It refuses a file whose points are not the sum of the results, or whose two rows of a game do not fit.
    parsed = TrfParser.parse(Path(trf), strict=True)
    return {section.starting_number: section.points_times_ten for section in parsed.player_sections}


def caissify_read(trf):
    from caissify_pairings.trf import TRFParser

    parsed = TRFParser(Path(trf).read_text(encoding="utf-8")).parse()
    return parsed["tournament"], {player["starting_number"]: player for player in parsed["players"]}


def worth(result):
    return WORTH.get((result or {}).get("result", "").upper(), 0)


def caissify_points(trf):
    _, players = caissify_read(trf)
    return {number: sum(map(worth, player["results"].values())) for number, player in players.items()}


def caissify_pair(trf, number, pairs):
    from caissify_pairings import generate_pairings

    number = int(number)
    tournament, players = caissify_read(trf)

    def before(player, rnd):
        return sum(worth(players[player]["results"].get(earlier)) for earlier in range(1, rnd))

    # It keeps nothing itself: what its documentation wants of its caller, made of the file alone.
    there, met = [], set()
    for start, player in players.items():
        if number in player["results"]:
            continue
        colours, floats, byes, forfeits = [], [], 0, 0
        for rnd in range(1, number):
            result = player["results"].get(rnd, {"opponent": None, "color": None, "result": "Z"})
            code, opponent = result["result"].upper(), result["opponent"]
            if opponent is None:
                byes += 1
                floats.append("down")
            elif code in "+-":
                forfeits += code == "+"
                floats.append("down" if code == "+" else "none")
            else:
                met.add((min(start, opponent), max(start, opponent)))
                colours.append("white" if result["color"] == "w" else "black")
                mine, his = before(start, rnd), before(opponent, rnd)
                floats.append("down" if mine > his else "up" if mine < his else "none")
        there.append({
            "id": start, "starting_number": start, "name": player["name"], "rating": player.get("rating") or 0,
            "score": before(start, number) / 10, "color_hist": colours, "float_history": floats,
            "bye_count": byes, "forfeit_win_count": forfeits,
        })
    answer = generate_pairings(
        system="dutch", players=there, previous_pairings=met, round_number=number,
        total_rounds=tournament["total_rounds"],
    )
    lines = [f"{pair['white_id']} {pair.get('black_id') or 0}" for pair in answer]
    Path(pairs).write_text("\n".join([str(len(lines)), *lines, ""]), encoding="utf-8")


engine, what, *rest = sys.argv[1:]
answer = globals()[f"{engine}_{what}"](*rest)
if what == "points":
    print(json.dumps(answer))
