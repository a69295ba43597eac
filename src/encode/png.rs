//! PNG.
use super::*;
pub const FORMAT: Format = Format {
    name: "png",
    extension: "png",
    about: "PNG",
    writer: Writer::Folder(write),
};
fn write(
    _: &Movie,
    _: Watch,
    _: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> Result<(), Stop> {
    Ok(())
}
