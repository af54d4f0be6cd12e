// precision in plain JavaScript: the twin of src/figures/precision.rs, with the same shader and the same pixels

const WORKGROUP = 8;
const SIZE = [384, 44];
const RENDERABLE = 'rg11b10ufloat-renderable';

/** What the figure uses where the device has it. */
export const features = [RENDERABLE];

// region: formats
/** From the top row down, by their names in the shader. */
const FORMATS = {
  floats: 'rgba32float',
  halves: 'rgba16float',
  elevens: 'rg11b10ufloat',
  tens: 'rgb10a2unorm',
  bytes: 'rgba8unorm',
};
// endregion

/** Builds the figure for a canvas format; `draw` takes a texture to draw into, seconds and the controls. */
export async function create(device, format) {
  const url = new URL('../shaders/precision.wgsl', import.meta.url);
  const module = device.createShaderModule({ label: 'precision/shader', code: await (await fetch(url)).text() });
  const settings = device.createBuffer({
    label: 'precision/settings',
    size: 16,
    usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  });
  const pipelineOf = (label, entryPoint, format) =>
    device.createRenderPipeline({
      label,
      layout: 'auto',
      vertex: { module, entryPoint: 'cover' },
      fragment: { module, entryPoint, targets: [{ format }] },
    });
  const groupOf = (label, pipeline, resources) =>
    device.createBindGroup({
      label,
      layout: pipeline.getBindGroupLayout(0),
      entries: resources.map((resource, binding) => ({ binding, resource })),
    });

  // region: targets
  const rows = Object.entries(FORMATS).map(([label, format]) => {
    const isTarget = format !== 'rg11b10ufloat' || device.features.has(RENDERABLE);
    const filled = isTarget ? GPUTextureUsage.RENDER_ATTACHMENT : GPUTextureUsage.COPY_DST;
    const texture = device.createTexture({ label, format, size: SIZE, usage: filled | GPUTextureUsage.TEXTURE_BINDING });
    const pipeline = isTarget && pipelineOf(label, 'paint', format);
    const group = isTarget && groupOf(label, pipeline, [{ buffer: settings }]);
    return { texture, view: texture.createView({ label }), pipeline, group };
  });
  // endregion

  const words = device.createBuffer({
    label: 'precision/words',
    size: SIZE[0] * SIZE[1] * 4,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
  });
  const encode = device.createComputePipeline({
    label: 'precision/encode',
    layout: 'auto',
    compute: { module, entryPoint: 'encode' },
  });
  const encodeGroup = groupOf('precision/encode', encode, [{ buffer: settings }, { buffer: words }]);
  const show = pipelineOf('precision/show', 'show', format);
  const showGroup = groupOf('precision/show', show, [{ buffer: settings }, ...rows.map(({ view }) => view)]);

  function render(encoder, label, view, pipeline, group) {
    const pass = encoder.beginRenderPass({ label, colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.draw(3);
    pass.end();
  }

  return function draw(target, seconds, { tone = 'curve', exposure = 0, magnify = 5 } = {}) {
    device.queue.writeBuffer(settings, 0, new Float32Array([seconds, tone === 'clip' ? 1 : 0, exposure, magnify]));
    const encoder = device.createCommandEncoder({ label: 'precision/frame' });

    // region: passes
    for (const { texture, view, pipeline, group } of rows) {
      if (pipeline) {
        render(encoder, 'precision/paint', view, pipeline, group);
      } else {
        const pass = encoder.beginComputePass({ label: 'precision/encode' });
        pass.setPipeline(encode);
        pass.setBindGroup(0, encodeGroup);
        pass.dispatchWorkgroups(Math.ceil(SIZE[0] / WORKGROUP), Math.ceil(SIZE[1] / WORKGROUP));
        pass.end();
        encoder.copyBufferToTexture({ buffer: words, bytesPerRow: SIZE[0] * 4 }, { texture }, SIZE);
      }
    }
    // endregion

    render(encoder, 'precision/show', target.createView(), show, showGroup);
    device.queue.submit([encoder.finish()]);
  };
}
