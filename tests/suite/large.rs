//! A large spec, made from a rule; the benches use this file too.

use std::fmt::Write;

/// A sound spec of at least so many bytes: channels of several kinds that read one another, and marks.
pub fn spec(bytes: usize) -> String {
    let (mut channels, mut marks) = (String::new(), String::new());
    let mut n = 0;
    while channels.len() + marks.len() < bytes {
        let before = match n {
            0 => "t".to_owned(),
            _ => format!("f{}", n - 1),
        };
        let _ = write!(
            channels,
            r#"
    "w{n}": {{ "wave": {{ "period": 2, "amplitude": {}, "around": 60 }} }},
    "k{n}": {{ "track": {{ "keys": [[0, {n}, "in_out_cubic"], [0.5, 40], [1, {n}]] }} }},
    "f{n}": "lerp(w{n}, k{n}, 0.5) + 0.001 * {before}","#,
            10 + n % 7
        );
        let _ = write!(
            marks,
            r#"
    {{ "circle": {{ "at": ["f{n}", "k{n} + 10"], "radius": "4 + abs(sin(turn * t))", "fill": "red" }} }},
    {{ "line": {{ "from": ["w{n}", 10], "to": ["f{n}", 70], "width": 2, "cap": "round" }} }},"#
        );
        n += 1;
    }
    format!(
        r#"{{
  "hazumi": 1, "alt": "Many dots and lines.",
  "canvas": {{ "size": [120, 80], "fps": 10, "duration": 1 }},
  "channels": {{{channels}
  }},
  "draw": [{marks}
  ]
}}
"#
    )
}
