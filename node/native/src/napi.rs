//! The door to Node: the few functions of Node-API that one call needs.

use crate::{dispatch, Problem};
use std::ffi::{c_char, c_int, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};

type Env = *mut c_void;
type Value = *mut c_void;
type Callback = unsafe extern "C" fn(Env, *mut c_void) -> Value;

const UINT8_ARRAY: c_int = 1;

extern "C" {
    fn napi_create_function(e: Env, name: *const c_char, length: usize, f: Callback, data: *mut c_void, to: *mut Value) -> c_int;
    fn napi_set_named_property(e: Env, object: Value, name: *const c_char, value: Value) -> c_int;
    fn napi_get_cb_info(e: Env, info: *mut c_void, count: *mut usize, values: *mut Value, this: *mut Value, data: *mut *mut c_void) -> c_int;
    fn napi_get_value_uint32(e: Env, value: Value, to: *mut u32) -> c_int;
    fn napi_create_int32(e: Env, value: i32, to: *mut Value) -> c_int;
    fn napi_get_typedarray_info(e: Env, array: Value, kind: *mut c_int, length: *mut usize, data: *mut *mut c_void, buffer: *mut Value, offset: *mut usize) -> c_int;
}

/// Node calls it once for each thread that loads the addon.
///
/// # Safety
/// Node alone calls it, with its own environment.
#[no_mangle]
pub unsafe extern "C" fn napi_register_module_v1(env: Env, exports: Value) -> Value {
    let mut function = null_mut();
    napi_create_function(env, null(), 0, run, null_mut(), &mut function);
    napi_set_named_property(env, exports, c"run".as_ptr(), function);
    exports
}

unsafe extern "C" fn run(env: Env, info: *mut c_void) -> Value {
    let mut values = [null_mut(); 3];
    let mut count = values.len();
    napi_get_cb_info(env, info, &mut count, values.as_mut_ptr(), null_mut(), null_mut());
    let mut answer = null_mut();
    napi_create_int32(env, answer_of(env, &values), &mut answer);
    answer
}

unsafe fn answer_of(env: Env, values: &[Value; 3]) -> i32 {
    let mut work = 0;
    let (Some((input, length)), Some((output, room))) = (bytes(env, values[1]), bytes(env, values[2])) else {
        return Problem::Fault as i32;
    };
    if napi_get_value_uint32(env, values[0], &mut work) != 0 {
        return Problem::Fault as i32;
    }
    // The caller's two arrays never lie in the same buffer.
    let input = std::slice::from_raw_parts(input, length);
    let output = std::slice::from_raw_parts_mut(output, room);
    match catch_unwind(AssertUnwindSafe(|| dispatch(work, input, output))) {
        Ok(Ok(written)) => written as i32,
        Ok(Err(problem)) => problem as i32,
        Err(_) => Problem::Fault as i32,
    }
}

unsafe fn bytes(env: Env, value: Value) -> Option<(*mut u8, usize)> {
    let (mut kind, mut length, mut data) = (0, 0, null_mut());
    let status = napi_get_typedarray_info(env, value, &mut kind, &mut length, &mut data, null_mut(), null_mut());
    if status != 0 || kind != UINT8_ARRAY {
        return None;
    }
    // An empty array has no address.
    let start = if length == 0 { std::ptr::NonNull::<u8>::dangling().as_ptr() } else { data as *mut u8 };
    Some((start, length))
}
