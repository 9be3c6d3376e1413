"""Rehearsals: play a scene in JSON Lines at a table, without server or database.

    script         reads a scene
    stage          plays it: every line gets an answer
    due_commands   performs the steps that are due, until a given step
    scene_meters   meter balances during a scene
    scene          writes a finished round of the house as a scene

>>> scene = '''{"open": {"submission": "caribbean-stud-standard"}}
... {"as": "Ann", "do": {"type": "Sit", "seat": 3}}
... {"until": "call"}
... {"as": "Ann", "do": {"type": "Wager", "seat": 3, "wagers": {"ante": 1000}}}
... {"as": "Ann", "do": {"type": "Decide", "seat": 3, "multiple": 2}}'''
>>> answers = play_scene(read_scene(scene))
>>> answers[2].due
{'do': 'call', 'cite': '639a.8(b)'}
>>> answers[4].refused["why"]
'There is nothing to decide now.'
"""

from pitboss.rehearse.scene import scene_of
from pitboss.rehearse.script import Script, read_scene
from pitboss.rehearse.stage import Answer, play_scene

__all__ = ["Answer", "Script", "play_scene", "read_scene", "scene_of"]
