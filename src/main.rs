//! The wasm entry: everything is in the library.

fn main() {
    #[cfg(target_arch = "wasm32")]
    texelarium::web::start();
}

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
