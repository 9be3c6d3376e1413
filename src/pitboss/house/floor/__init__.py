"""The floor: what staff and players see of a table.

duties            prompts for the dealer; duties that wait for staff
table_overview    a table at a glance, for the pit
catch_up          entries since a given position
"""
