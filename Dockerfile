# The image of the service, as an ordinary user on a root filesystem that may be read-only: all data is in /data.
# docs/operate/installation.md describes its use. NODE_IMAGE may be any Debian with Node.js, npm and CA certificates.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run -s build && npm prune --omit=dev --no-audit --no-fund && chmod -R a+rX .

FROM ${NODE_IMAGE}
# PostgreSQL needs a user with a name. The fixed number lets a volume be prepared from outside.
RUN useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin netsaat \
  && install --directory --owner=netsaat --group=netsaat --mode=0700 /data
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/README.md ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/seed ./seed
COPY --from=build /app/docs/api/openapi.json ./docs/api/openapi.json

ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 MQTT_PORT=1883 DATA_DIR=/data
USER netsaat
VOLUME /data
EXPOSE 8080 1883
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s --retries=3 CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/netsaat.js"]
CMD ["serve"]
