#!/usr/bin/env bash
# Builds the image of the Dockerfile with buildah into the folder $1 and prints the path of its mounted root filesystem.
# Needs root. The base image is made of Debian packages and of the Node.js of this machine, so that no registry of
# images is needed.
set -euo pipefail
work="$1"
cd "$(dirname "$0")/../.."

bud() {
  buildah bud --quiet --isolation chroot --format docker "$@" >/dev/null
}
buildah() {
  command buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" "$@"
}

mkdir "$work/base"
mmdebstrap --quiet --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$work/base/root.tar" >&2
cp "$(command -v node)" "$work/base/node"
cp -rL "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$work/base/npm"
cp /etc/ssl/certs/ca-certificates.crt "$work/base/"
cat >"$work/base/Dockerfile" <<'BASE'
FROM scratch
ARG NPM_REGISTRY
ADD root.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN cd /usr/local/bin && ln -s ../lib/node_modules/npm/bin/npm-cli.js npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js npx
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm_config_registry=${NPM_REGISTRY} npm_config_update_notifier=false
BASE
bud --build-arg NPM_REGISTRY="$(npm config get registry 2>/dev/null)" -t localhost/node-base "$work/base"
bud --build-arg NODE_IMAGE=localhost/node-base -t localhost/netsaat .
buildah inspect --type image localhost/netsaat >"$work/image.json"
buildah mount "$(buildah from localhost/netsaat)"
