// run: puts the JavaScript twin of a figure on its canvas, with the values that the address gives

/** Runs `./<id>.js` in the figure `id`: paused if the address has `<id>.t`, in a canvas of `<id>.size` texels. */
export async function run(id) {
  const figure = document.querySelector(`figure[data-figure="${CSS.escape(id)}"]`);
  const [{ create, features = [] }, adapter] = await Promise.all([import(`./${id}.js`), navigator.gpu.requestAdapter()]);
  const requiredFeatures = features.filter((name) => adapter.features.has(name));
  const device = await adapter.requestDevice({ label: 'twin', requiredFeatures });
  const format = navigator.gpu.getPreferredCanvasFormat();

  const query = new URLSearchParams(location.search);
  const value = (name) => query.get(`${id}.${name}`) ?? undefined;
  const number = (name) => value(name) && Number(value(name));
  const own = [...query].filter(([name]) => name.startsWith(`${id}.`));
  const controls = Object.fromEntries(
    own.map(([name, value]) => [name.slice(id.length + 1), Number.isNaN(Number(value)) ? value : Number(value)]),
  );

  const canvas = document.createElement('canvas');
  figure.querySelector('[data-slot=picture]').append(canvas);
  const size = value('size')?.split('x').map(Number);
  if (size) {
    canvas.style.width = `${size[0] / devicePixelRatio}px`;
    canvas.style.height = `${size[1] / devicePixelRatio}px`;
  }
  const box = canvas.getBoundingClientRect();
  [canvas.width, canvas.height] = size ?? [box.width, box.height].map((side) => Math.round(side * devicePixelRatio));
  const context = canvas.getContext('webgpu');
  context.configure({ device, format, alphaMode: 'opaque' });

  const draw = await create(device, format);
  const still = number('t');
  let [start, submitted, done] = [undefined, 0, 0];
  function frame(now) {
    start ??= now;
    if (submitted - done < 2) {
      draw(context.getCurrentTexture(), still ?? (now - start) / 1000, controls);
      submitted += 1;
      device.queue.onSubmittedWorkDone().then(() => {
        done += 1;
        figure.dataset.frame = done;
      });
    }
    if (still === undefined) requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);
  figure.dataset.state = still === undefined ? 'running' : 'paused';
  document.documentElement.dataset.gpu = 'ready';
}
