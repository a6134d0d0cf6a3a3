# Builds recon from this folder. The image contains only Node and the built program.
FROM node:22-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY esbuild.config.mjs ./
COPY src src
COPY fixtures fixtures
RUN npm run build

FROM node:22-alpine
COPY package.json LICENSE /opt/recon/
COPY bin /opt/recon/bin
COPY --from=build /build/dist /opt/recon/dist
RUN ln -s /opt/recon/bin/recon.js /usr/local/bin/recon
USER node
ENTRYPOINT ["recon"]
CMD ["--help"]
