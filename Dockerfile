# Images of the programs; `docker build --target node|rate-limiter|operator .`, or the same with buildah or BuildKit.
# Pass an image with its digest to pin a base: --build-arg NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG GO_IMAGE=docker.io/library/golang:1.26-bookworm

FROM ${GO_IMAGE} AS cometbft
ARG COMETBFT_VERSION=v0.38.26
RUN CGO_ENABLED=0 GOBIN=/out go install -trimpath -buildvcs=false -ldflags '-s -w -buildid=' \
      "github.com/cometbft/cometbft/cmd/cometbft@${COMETBFT_VERSION}"

# Manifests first: the packages of a workspace change more seldom than its sources.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY platform/package.json platform/
COPY platform/launch platform/launch
COPY node/package.json node/
COPY node/bin node/bin
COPY operator/package.json operator/
COPY operator/bin operator/bin
COPY sidecars/rateLimiter/package.json sidecars/rateLimiter/
COPY sidecars/rateLimiter/bin sidecars/rateLimiter/bin

# Binaries of other systems and sources of native packages stay behind.
FROM manifests AS node-files
RUN npm ci --omit=dev --workspace node --include-workspace-root=false --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/.package-lock.json operator sidecars package-lock.json \
 && find node_modules -path '*/prebuilds/*' -maxdepth 5 -type d \
      ! -name "linux-$(node -p process.arch)*" -prune -exec rm -rf {} + \
 && rm -rf node_modules/@nxtedition/rocksdb/deps node_modules/@nxtedition/rocksdb/prebuilds.zip node_modules/classic-level/deps \
      node_modules/secp256k1/src \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -type f -delete
COPY platform platform
COPY node node
COPY LICENSE ./
RUN mkdir -p /files/usr/local/bin /files/var/lib/chain /files/tmp && cp -a /app /files/app \
 && ln -s /app/node/bin/chaind.js /files/usr/local/bin/chaind \
 && chown 1000:1000 /files/var/lib/chain && chmod 1777 /files/tmp
COPY --from=cometbft /out/cometbft /files/usr/local/bin/cometbft
RUN find /files -exec touch -h -d @0 {} +

FROM manifests AS rate-limiter-files
RUN npm ci --omit=dev --workspace sidecars/rateLimiter --include-workspace-root=false --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/.package-lock.json node operator package-lock.json \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -type f -delete
COPY platform platform
COPY sidecars/rateLimiter sidecars/rateLimiter
COPY LICENSE ./
RUN mkdir -p /files/usr/local/bin /files/tmp && cp -a /app /files/app \
 && ln -s /app/sidecars/rateLimiter/bin/chain-rate-limiter.js /files/usr/local/bin/chain-rate-limiter \
 && chmod 1777 /files/tmp \
 && find /files -exec touch -h -d @0 {} +

FROM manifests AS operator-files
RUN npm ci --omit=dev --workspace operator --include-workspace-root=false --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/.package-lock.json node sidecars package-lock.json \
 && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -type f -delete
COPY platform platform
COPY operator operator
COPY LICENSE ./
RUN mkdir -p /files/usr/local/bin /files/tmp && cp -a /app /files/app \
 && ln -s /app/operator/bin/chain-operator.js /files/usr/local/bin/chain-operator \
 && chmod 1777 /files/tmp \
 && find /files -exec touch -h -d @0 {} +

# What every image has in common. No WORKDIR: the directory that it makes would have the time of the build.
FROM ${NODE_IMAGE} AS program
ARG VERSION=6.5.0
ARG REVISION=unknown
LABEL org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-old-space-size-percentage=75
USER 1000:1000
STOPSIGNAL SIGTERM

FROM program AS operator
# Bursts of objects would otherwise leave 128 MB of new space behind.
ENV NODE_OPTIONS="${NODE_OPTIONS} --max-semi-space-size=16"
LABEL org.opencontainers.image.title="chain-operator" \
      org.opencontainers.image.description="Kubernetes operator for nodes of a chain and fleets of them"
COPY --from=operator-files /files/ /
ENV CHAIN_OPERATOR_ADMIN_ADDRESS=0.0.0.0 \
    CHAIN_OPERATOR_STATUS_PAGE_ADDRESS=0.0.0.0
WORKDIR /app
EXPOSE 8080
ENTRYPOINT ["node", "/app/operator/bin/chain-operator.js"]

FROM program AS rate-limiter
LABEL org.opencontainers.image.title="chain-rate-limiter" \
      org.opencontainers.image.description="Rate-limiting proxy in front of a node's consensus RPC"
COPY --from=rate-limiter-files /files/ /
WORKDIR /app
EXPOSE 26657 9101
ENTRYPOINT ["node", "/app/sidecars/rateLimiter/bin/chain-rate-limiter.js"]

FROM program AS node
LABEL org.opencontainers.image.title="chaind" \
      org.opencontainers.image.description="A blockchain node with an EVM, with CometBFT beside it"
COPY --from=node-files /files/ /
# Half of the container's memory: databases, other threads and CometBFT live outside this heap.
ENV NODE_OPTIONS=--max-old-space-size-percentage=50 \
    CHAIND_HOME=/var/lib/chain
WORKDIR /app
VOLUME /var/lib/chain
EXPOSE 26656 26657 26661 8545 8546 9090 1317
ENTRYPOINT ["node", "/app/node/bin/chaind.js"]
CMD ["start"]
