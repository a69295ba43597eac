//! Reads the reference numbers in `tests/data`.

use serde_json::Value;

/// A number, or one of the words JSON lacks.
pub fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("NaN") => f64::NAN,
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some("-0") => -0.0,
        _ => value.as_f64().expect("a number"),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

pub fn read(json: &str) -> Value {
    serde_json::from_str(json).expect("reference data")
}
