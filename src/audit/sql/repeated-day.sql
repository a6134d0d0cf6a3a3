-- Days of a profile that are in two lakes; only those of the first one are read.
SELECT count(*) OVER () AS found, profile, day, lake, first_lake, is_same
FROM repeated_days
ORDER BY profile, day, lake
LIMIT {{most}}
