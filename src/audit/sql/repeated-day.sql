-- Days of a profile that are in two lakes, with the same data; only those of the first one are read.
SELECT count(*) OVER () AS found, profile, day, lake, first_lake
FROM repeated_days
WHERE is_same
ORDER BY profile, day, lake
LIMIT {{most}}
