"""The hub: the events of many tables in one database, and a page with leagues, evenings and ratings.

`intake` receives from the MQTT broker, `store` writes into PostgreSQL (`database`, `migrations`), `people`
replaces names by numbers, `scoring` folds games and rates players, `questions` has the SQL behind `page`.
`simulated` has tables with which to load-test a hub; `engines` starts a broker and a database for demo and
tests.
"""
