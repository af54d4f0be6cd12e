//! The browser's own WebGPU objects, for what wgpu cannot say.
//!
//! wgpu 30 maps 16 feature names on the web, the tiers not among them, and a `TypeError` that the browser throws inside
//! wgpu ends the wasm. So the device is requested here, by name, with every error a value, and then handed to wgpu.

use js_sys::{Array, Function, Object as JsObject, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::{COMPATIBILITY, Gpu};

#[wasm_bindgen]
extern "C" {
    /// `JSON.parse` with a reviver, which js-sys lacks.
    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    fn parse(json: &str, revive: &Closure<dyn FnMut(JsValue, JsValue) -> JsValue>) -> Result<JsValue, JsValue>;
}

/// What the browser threw.
#[derive(Debug, Clone)]
pub struct Thrown(pub String);

impl From<JsValue> for Thrown {
    fn from(value: JsValue) -> Self {
        Self(text(&value, "message").or_else(|| value.as_string()).unwrap_or_default())
    }
}

/// Why there is no device.
#[derive(Debug, Clone)]
pub enum Reason {
    /// The browser has no `navigator.gpu`.
    NoWebgpu,
    /// `requestAdapter()` gave null.
    NoAdapter,
    /// `requestDevice()` was rejected, with these words.
    NoDevice(Thrown),
}

impl Reason {
    /// The browser's words, if it has any.
    pub fn message(&self) -> &str {
        match self {
            Self::NoDevice(Thrown(message)) => message,
            Self::NoWebgpu | Self::NoAdapter => "",
        }
    }
}

/// A device and the adapter it came from.
#[derive(Debug)]
pub struct Opened {
    /// The device as wgpu has it.
    pub gpu: Gpu,
    /// The browser's `GPUAdapter`.
    pub adapter: Object,
}

/// Opens a device with those of `features` that the adapter has. Limits are the defaults (WebGPU, *Limits*). With
/// [`COMPATIBILITY`] among them it is of that level, where the browser knows of levels.
///
/// # Errors
/// The first thing that is missing.
pub async fn open(instance: &wgpu::Instance, label: &str, features: &[&'static str]) -> Result<Opened, Reason> {
    let gpu = webgpu().ok_or(Reason::NoWebgpu)?;
    let options = JsObject::new();
    let asks_compatibility = features.contains(&COMPATIBILITY);
    if asks_compatibility {
        set(&options, "featureLevel", &"compatibility".into());
    }
    let adapter = invoke(&gpu, "requestAdapter", &[&options]).await.map_err(|_| Reason::NoAdapter)?;
    if adapter.is_null() || adapter.is_undefined() {
        return Err(Reason::NoAdapter);
    }
    let offered = Object(get(&adapter, "features"));
    let mut features: Vec<_> = features.iter().copied().filter(|name| offered.has(name)).collect();
    let names: Array = features.iter().map(|name| JsValue::from_str(name)).collect();
    let descriptor = JsObject::new();
    set(&descriptor, "label", &label.into());
    set(&descriptor, "requiredFeatures", &names);
    let device =
        invoke(&adapter, "requestDevice", &[&descriptor]).await.map_err(|error| Reason::NoDevice(error.into()))?;

    // A browser that knows of levels offers what sets core above the other as a feature, and gives it unasked to none but
    // a core device.
    const CORE: &str = "core-features-and-limits";
    if asks_compatibility && offered.has(CORE) && !Object(get(&device, "features")).has(CORE) {
        features.push(COMPATIBILITY);
    }

    // wgpu takes no device from outside, so it asks for one and is answered with this.
    let wgpu_adapter = answered(&gpu, "requestAdapter", &adapter, || instance.request_adapter(&Default::default()))
        .await
        .map_err(|_| Reason::NoAdapter)?;
    let (device, queue) =
        answered(&adapter, "requestDevice", &device, || wgpu_adapter.request_device(&Default::default()))
            .await
            .map_err(|error| Reason::NoDevice(Thrown(error.to_string())))?;
    Ok(Opened { gpu: Gpu::new(device, queue, features), adapter: Object(adapter) })
}

/// A device with everything that its adapter has, and that adapter; wgpu knows nothing of it.
#[derive(Debug)]
pub struct Bare {
    /// The browser's `GPUDevice`.
    pub device: Object,
    /// The browser's `GPUAdapter`.
    pub adapter: Object,
}

/// Opens a device with every feature that the adapter offers, in compatibility mode if that is asked for. Limits are the
/// defaults.
///
/// # Errors
/// The first thing that is missing.
pub async fn open_bare(label: &str, is_compatibility: bool) -> Result<Bare, Reason> {
    let gpu = webgpu().ok_or(Reason::NoWebgpu)?;
    let options = JsObject::new();
    set(&options, "featureLevel", &if is_compatibility { "compatibility" } else { "core" }.into());
    let adapter = invoke(&gpu, "requestAdapter", &[&options]).await.map_err(|_| Reason::NoAdapter)?;
    if adapter.is_null() || adapter.is_undefined() {
        return Err(Reason::NoAdapter);
    }
    // With the core feature it would be a core device.
    let is_asked = |name: &JsValue| !is_compatibility || *name != "core-features-and-limits";
    let features: Array = Array::from(&get(&adapter, "features")).iter().filter(is_asked).collect();
    let descriptor = JsObject::new();
    set(&descriptor, "label", &label.into());
    set(&descriptor, "requiredFeatures", &features);
    let device =
        invoke(&adapter, "requestDevice", &[&descriptor]).await.map_err(|error| Reason::NoDevice(error.into()))?;
    Ok(Bare { device: Object(device), adapter: Object(adapter) })
}

/// A number in as few digits as say it: Rust's own way of doing that costs 8 kB.
pub fn decimal(number: f32) -> String {
    js_sys::Number::from(f64::from(number)).to_precision(6).map_or_else(
        |_| String::new(),
        |text| {
            let text = String::from(text);
            if text.contains('.') && !text.contains('e') {
                text.trim_end_matches('0').trim_end_matches('.').into()
            } else {
                text
            }
        },
    )
}

/// Milliseconds on the page's clock.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// A canvas of `side` × `side` pixels that is in no document, and its context: `json` is what `getContext` is given.
pub fn canvas(side: u32, json: &str) -> Option<(Object, Object)> {
    let canvas = web_sys::window()?.document()?.create_element("canvas").ok()?;
    set(&canvas, "width", &side.into());
    set(&canvas, "height", &side.into());
    let canvas = Object(canvas.into());
    let context = canvas.call("getContext", json, &[]).ok()?;
    Some((canvas, context))
}

/// `navigator.gpu`, if the browser has it.
fn webgpu() -> Option<JsValue> {
    let gpu = get(web_sys::window()?.navigator().as_ref(), "gpu");
    (!gpu.is_undefined() && !gpu.is_null()).then_some(gpu)
}

/// What the browser's WGSL has beyond the first (`wgslLanguageFeatures`).
pub fn language_features() -> Vec<String> {
    webgpu().map(|gpu| Object(get(&gpu, "wgslLanguageFeatures")).names()).unwrap_or_default()
}

/// The name of the canvas format that this browser shows without a copy (WebGPU, `getPreferredCanvasFormat`).
pub fn preferred_canvas_format_name() -> String {
    let format = webgpu().and_then(|gpu| method(&gpu, "getPreferredCanvasFormat")?.call0(&gpu).ok());
    format.and_then(|format| format.as_string()).unwrap_or_default()
}

/// That format.
pub fn preferred_canvas_format() -> wgpu::TextureFormat {
    match preferred_canvas_format_name().as_str() {
        "rgba8unorm" => wgpu::TextureFormat::Rgba8Unorm,
        _ => wgpu::TextureFormat::Bgra8Unorm,
    }
}

/// Makes `request`, a call that ends in `object.name()`, while that gives `answer`.
fn answered<T>(object: &JsValue, name: &str, answer: &JsValue, request: impl FnOnce() -> T) -> T {
    let answer = Promise::resolve(answer);
    set(object, name, &Closure::once_into_js(move || answer));
    let future = request();
    let _ = Reflect::delete_property::<JsObject>(object.unchecked_ref(), &name.into());
    future
}

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

fn method(object: &JsValue, name: &str) -> Option<Function> {
    get(object, name).dyn_into().ok()
}

async fn invoke(object: &JsValue, name: &str, arguments: &[&JsValue]) -> Result<JsValue, JsValue> {
    let arguments: Array = arguments.iter().copied().collect();
    let function = method(object, name).ok_or(JsValue::UNDEFINED)?;
    JsFuture::from(Promise::resolve(&function.apply(object, &arguments)?)).await
}

/// `object.name(…arguments)`, where `json` is the array of arguments and each `"$0"`, `"$1"` … in it stands for one of
/// `objects`.
fn call(object: &JsValue, name: &str, json: &str, objects: &[&Object]) -> Result<Object, Thrown> {
    let objects: Vec<_> = objects.iter().map(|object| object.0.clone()).collect();
    let revive = Closure::<dyn FnMut(JsValue, JsValue) -> JsValue>::new(move |_, value: JsValue| {
        let place = value.as_string().and_then(|text| text.strip_prefix('$')?.parse::<usize>().ok());
        place.and_then(|place| objects.get(place).cloned()).unwrap_or(value)
    });
    let arguments = parse(json, &revive)?;
    let function = method(object, name).ok_or(JsValue::UNDEFINED)?;
    Ok(Object(function.apply(object, arguments.unchecked_ref())?))
}

/// The browser's `GPUDevice`.
#[derive(Debug)]
pub struct Device(JsValue);

/// Something that a call returned.
#[derive(Debug, Clone)]
pub struct Object(JsValue);

impl Device {
    /// The browser's object behind `gpu`.
    pub fn of(gpu: &Gpu) -> Option<Self> {
        gpu.device.as_webgpu().map(|device| Self(device.into()))
    }

    /// `device.method(descriptor)`, where `json` is the descriptor and each `"$0"`, `"$1"` … in it stands for an
    /// object.
    ///
    /// # Errors
    /// What the browser threw.
    pub fn call(&self, name: &str, json: &str, objects: &[&Object]) -> Result<Object, Thrown> {
        call(&self.0, name, &["[", json, "]"].concat(), objects)
    }

    /// Hands each error that no scope caught to `report`, in the browser's words. wgpu's own listener panics on an
    /// internal error.
    pub fn on_uncaptured_error(&self, report: impl Fn(Thrown) + 'static) {
        let listener = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| report(get(&event, "error").into()));
        let arguments = Array::of2(&"uncapturederror".into(), listener.as_ref());
        if let Some(function) = method(&self.0, "addEventListener") {
            let _ = function.apply(&self.0, &arguments);
        }
        listener.forget();
    }

    /// Whether the device has the feature of that name, asked for or brought along by another.
    pub fn has(&self, feature: &str) -> bool {
        Object(get(&self.0, "features")).has(feature)
    }

    /// When the device is lost: the browser's words.
    pub async fn lost(&self) -> Thrown {
        JsFuture::from(Promise::resolve(&get(&self.0, "lost"))).await.unwrap_or_default().into()
    }
}

/// Objects by letters, and calls among them that are written down as text: a call from Rust weighs several times as much.
#[derive(Debug)]
pub struct Script {
    /// Each at the code of its letter.
    objects: Array,
    /// All textures that were made.
    textures: Array,
    revive: Closure<dyn FnMut(JsValue, JsValue) -> JsValue>,
}

impl Script {
    /// One that knows those objects.
    pub fn new(objects: &[(u8, &Object)]) -> Self {
        let all = Array::new();
        let known = all.clone();
        let revive = Closure::new(move |_, value: JsValue| match value.as_string().as_deref().map(str::as_bytes) {
            Some([b'$', letter]) => known.get((*letter).into()),
            _ => value,
        });
        let script = Self { objects: all, textures: Array::new(), revive };
        for (letter, object) in objects {
            script.set(*letter, object);
        }
        script
    }

    /// Gives an object that letter.
    pub fn set(&self, letter: u8, object: &Object) {
        self.objects.set(letter.into(), object.0.clone());
    }

    /// The object of that letter.
    pub fn get(&self, letter: u8) -> Object {
        Object(self.objects.get(letter.into()))
    }

    /// Makes the calls of `lines`: `t=d.createTexture [{"size":[1]}]` calls a method of `d` with an array of arguments, in
    /// which `"$t"` stands for an object, and gives what comes of it the letter `t`.
    ///
    /// # Errors
    /// What the browser threw, or the line that is no call; the calls after that are not made. Text without a call is none.
    pub fn run(&self, lines: &str) -> Result<(), Thrown> {
        if lines.is_empty() {
            return Err(Thrown(String::new()));
        }
        for line in lines.lines() {
            let (Some((call, json)), [to, b'=', on, ..]) = (line.split_once(' '), line.as_bytes()) else {
                return Err(Thrown(line.into()));
            };
            let (on, name) = (self.get(*on).0, call.get(4..).unwrap_or_default());
            let arguments = parse(json, &self.revive)?;
            let function = method(&on, name).ok_or(JsValue::UNDEFINED)?;
            let made = function.apply(&on, arguments.unchecked_ref())?;
            if name == "createTexture" {
                self.textures.push(&made);
            }
            self.objects.set((*to).into(), made);
        }
        Ok(())
    }

    /// Destroys all textures that were made.
    pub fn destroy_textures(&self) {
        for texture in self.textures.iter() {
            let _ = Object(texture).call("destroy", "[]", &[]);
        }
        self.textures.set_length(0);
    }
}

impl Object {
    /// A string, to stand for `"$0"` in a descriptor.
    pub fn text(text: &str) -> Self {
        Self(text.into())
    }

    /// Bytes, to stand for `"$0"` in an argument.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self(js_sys::Uint8Array::from(bytes).into())
    }

    /// `object.name(…arguments)`, where `json` is the array of arguments and each `"$0"`, `"$1"` … in it stands for one of
    /// `objects`.
    ///
    /// # Errors
    /// What the browser threw.
    pub fn call(&self, name: &str, json: &str, objects: &[&Self]) -> Result<Self, Thrown> {
        call(&self.0, name, json, objects)
    }

    /// What the promise that this is comes to; anything else is itself.
    ///
    /// # Errors
    /// Why it was rejected.
    pub async fn settled(self) -> Result<Self, Thrown> {
        Ok(Self(JsFuture::from(Promise::resolve(&self.0)).await?))
    }

    /// The bytes of the `ArrayBuffer` that this is.
    pub fn to_bytes(&self) -> Vec<u8> {
        js_sys::Uint8Array::new(&self.0).to_vec()
    }

    /// Whether it is `null` or `undefined`.
    pub fn is_nothing(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    /// The member `name`.
    pub fn get(&self, name: &str) -> Self {
        Self(get(&self.0, name))
    }

    /// The string or whole number at the end of `path`, members joined by dots; empty if there is none.
    pub fn read(&self, path: &str) -> String {
        let value = path.split('.').fold(self.0.clone(), |object, name| get(&object, name));
        let number = || value.as_f64().map(|number| (number as u64).to_string());
        value.as_string().or_else(number).unwrap_or_default()
    }

    /// The strings of this set-like object.
    pub fn names(&self) -> Vec<String> {
        let is_set = js_sys::Symbol::iterator();
        let is_set = Reflect::has(&self.0, &is_set).unwrap_or_default();
        let names = if is_set { Array::from(&self.0) } else { Array::new() };
        names.iter().filter_map(|name| name.as_string()).collect()
    }

    /// The whole numbers among the members that its prototype gives it, digits as they are.
    pub fn numbers(&self) -> Vec<(String, String)> {
        let Ok(prototype) = Reflect::get_prototype_of(&self.0) else { return Vec::new() };
        let names = Reflect::own_keys(&prototype).unwrap_or_default();
        let names = names.iter().filter_map(|name| name.as_string());
        let is_number = |name: &String| get(&self.0, name).as_f64().is_some();
        names.filter(is_number).map(|name| (name.clone(), self.read(&name))).collect()
    }

    /// Whether this set-like object has `name`.
    pub fn has(&self, name: &str) -> bool {
        method(&self.0, "has")
            .and_then(|has| has.call1(&self.0, &name.into()).ok())
            .is_some_and(|answer| answer.is_truthy())
    }
}
