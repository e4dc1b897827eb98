# The program with Git, which registries need. A project is mounted as the working directory:
#   docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/project" instr compile
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && npm rebuild esbuild && npm run build && npm pack --ignore-scripts --pack-destination /tmp

FROM node:24-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates openssh-client \
  && rm -rf /var/lib/apt/lists/* \
  && git config --system --add safe.directory /project
COPY --from=build /tmp/instr-*.tgz /tmp/instr.tgz
RUN npm install --global --no-audit --no-fund /tmp/instr.tgz && rm /tmp/instr.tgz
ENV INSTR_CACHE_DIR=/tmp/instr
WORKDIR /project
ENTRYPOINT ["instr"]
