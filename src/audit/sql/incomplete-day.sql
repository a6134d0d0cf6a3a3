-- Days that were published although they could not be read whole.
SELECT count(*) OVER () AS found, profile, day
FROM days
WHERE NOT complete
ORDER BY profile, day
LIMIT {{most}}
