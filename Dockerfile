# The image contains Node and the packed program: npm ci && npm pack && docker build --tag recon .
# With --build-arg AUDIT=1 also DuckDB, which `recon audit` and `recon lake` need.
FROM node:24-alpine AS install
# Fails if several packages lie here: remove those of earlier versions.
COPY recon-*.tgz /recon.tgz
RUN npm install --global --prefix /installed --offline --ignore-scripts /recon.tgz
ARG AUDIT
RUN if [ "$AUDIT" = 1 ]; then \
  npm install --global --prefix /installed --ignore-scripts @duckdb/node-api@1.5.6-r.1; fi

FROM node:24-alpine
COPY --from=install /installed /usr/local
# By number, so that a cluster can tell that it is not root.
USER 1000:1000
ENTRYPOINT ["recon"]
CMD ["--help"]
