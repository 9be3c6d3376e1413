"""The office carries out acts of the whole house: people, cash, tables, Submissions.

acts                  every act, and the posts that may give it
office                carries out acts once; asks for a second person
act_checks            who may do an act, with which values
act_effects           what an act changes
bookkeeping           postings and settings of an act, for the office and the audit
people                posts, passwords, sessions
permissions           what each post may see and do
approvals             approvals of Submissions and tables
submission_periods    when each Submission was in force
house_log             the house's own log
slips                 slips and their numbers
money_kind            play money or real money
training_grades       who may record training
"""
