-- Days of a profile that are in two lakes, with other data or settings; only those of the first one are
-- read, so not all was.
SELECT count(*) OVER () AS found, profile, day, lake, first_lake
FROM repeated_days
WHERE NOT is_same
ORDER BY profile, day, lake
LIMIT {{most}}
