// plasma in plain JavaScript: the twin of src/figures/plasma.rs, with the same shader and the same pixels

const WORKGROUP = 8;

/** Builds the figure for a canvas format; `draw` takes a texture to draw into, seconds and the controls. */
export async function create(device, format) {
  const url = new URL('../shaders/plasma.wgsl', import.meta.url);
  const shader = device.createShaderModule({ label: 'plasma/shader', code: await (await fetch(url)).text() });
  const settings = device.createBuffer({
    label: 'plasma/settings',
    size: 16,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  });

  // region: layout
  const layout = device.createBindGroupLayout({
    label: 'plasma/paint',
    entries: [
      { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: {} },
      { binding: 1, visibility: GPUShaderStage.COMPUTE, storageTexture: { format: 'rgba8unorm' } },
    ],
  });
  // endregion

  // region: pipeline
  const paint = device.createComputePipeline({
    label: 'plasma/paint',
    layout: device.createPipelineLayout({ label: 'plasma/paint', bindGroupLayouts: [layout] }),
    compute: { module: shader, entryPoint: 'paint' },
  });
  // endregion

  const show = (entryPoint) =>
    device.createRenderPipeline({
      label: 'plasma/show',
      layout: 'auto',
      vertex: { module: shader, entryPoint: 'cover' },
      fragment: { module: shader, entryPoint, targets: [{ format }] },
    });
  const showSampled = show('show_sampled');
  const showLoaded = show('show_loaded');
  const linear = device.createSampler({ label: 'plasma/linear', magFilter: 'linear', minFilter: 'linear' });
  const nearest = device.createSampler({ label: 'plasma/nearest' });

  function createField(width) {
    // region: texture
    const texture = device.createTexture({
      label: 'plasma/field',
      size: [width, Math.floor((width * 9) / 16)],
      format: 'rgba8unorm',
      usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.TEXTURE_BINDING,
    });
    const storageView = texture.createView({ label: 'plasma/storage-view', mipLevelCount: 1 });
    // endregion

    // region: bind
    const paintGroup = device.createBindGroup({
      label: 'plasma/paint',
      layout,
      entries: [
        { binding: 0, resource: { buffer: settings } },
        { binding: 1, resource: storageView },
      ],
    });
    // endregion

    const sampledView = texture.createView({ label: 'plasma/sampled-view' });
    const showGroup = (pipeline, sampler) =>
      device.createBindGroup({
        label: 'plasma/show',
        layout: pipeline.getBindGroupLayout(0),
        entries: [
          { binding: 0, resource: { buffer: settings } },
          { binding: 1, resource: sampledView },
          ...(sampler ? [{ binding: 2, resource: sampler }] : []),
        ],
      });
    return {
      texture,
      paintGroup,
      nearest: [showSampled, showGroup(showSampled, nearest)],
      linear: [showSampled, showGroup(showSampled, linear)],
      load: [showLoaded, showGroup(showLoaded)],
    };
  }

  let field;
  return function draw(target, seconds, { view = 'nearest', zoom = 1, texels = 96 } = {}) {
    if (field?.texture.width !== texels) {
      field?.texture.destroy();
      field = createField(texels);
    }
    device.queue.writeBuffer(settings, 0, new Float32Array([seconds, zoom]));
    const encoder = device.createCommandEncoder({ label: 'plasma/frame' });

    // region: passes
    const compute = encoder.beginComputePass({ label: 'plasma/paint' });
    compute.setPipeline(paint);
    compute.setBindGroup(0, field.paintGroup);
    const { width, height } = field.texture;
    compute.dispatchWorkgroups(Math.ceil(width / WORKGROUP), Math.ceil(height / WORKGROUP));
    compute.end();

    const [pipeline, group] = field[view];
    const render = encoder.beginRenderPass({
      label: 'plasma/show',
      colorAttachments: [{ view: target.createView(), loadOp: 'clear', storeOp: 'store' }],
    });
    render.setPipeline(pipeline);
    render.setBindGroup(0, group);
    render.draw(3);
    render.end();
    // endregion

    device.queue.submit([encoder.finish()]);
  };
}
