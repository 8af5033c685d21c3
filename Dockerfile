# The library in a container.
#   docker build -t reward-verifiers .
#   docker build -t reward-verifiers --build-arg EXTRAS=train,report --build-arg TORCH=https://download.pytorch.org/whl/cu128 .
ARG PYTHON=3.12

FROM python:${PYTHON}-slim-bookworm AS wheel
WORKDIR /src
COPY . .
RUN pip install --no-cache-dir build==1.3.0 hatchling==1.27.0 \
    && python -m build --wheel --no-isolation --outdir /dist

FROM python:${PYTHON}-slim-bookworm
# Extras of the wheel, with commas between them (docs/install.md).
ARG EXTRAS=files,report,serve
# Where torch comes from, if an extra brings it: builds for CPUs, or for one version of CUDA.
ARG TORCH=https://download.pytorch.org/whl/cpu
COPY --from=wheel /dist /dist
# The wheel is a file of the first stage, so there is no version to pin.
# hadolint ignore=DL3013
RUN set -- /dist/*.whl \
    && pip install --no-cache-dir --extra-index-url "${TORCH}" "$1[${EXTRAS}]" \
    && rm -r /dist \
    && useradd --create-home --uid 1000 verifier
USER 1000
WORKDIR /data
EXPOSE 8000
CMD ["verify-cli", "--help"]
