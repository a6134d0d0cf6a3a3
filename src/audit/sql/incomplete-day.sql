-- Days that were published although they could not be read whole.
SELECT count(*) OVER () AS found, profile, day
FROM days
WHERE verdict = 'incomplete'
ORDER BY profile, day
LIMIT {{most}}
