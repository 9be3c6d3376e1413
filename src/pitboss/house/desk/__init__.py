"""The desk carries out orders at tables.

orders          an order and its reply
desk            decides, posts money, moves meters; one transaction
order_policy    the house's own conditions for an order
round_summary   the row written for a finished round
table_clock     the time at a table, which never runs backwards
"""
