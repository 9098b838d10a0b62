//! The course of a training as a table and as a picture.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use plotters::prelude::*;

use crate::training::checkpoint::Entry;

/// The history as comma-separated values, with a line of headings; what is not known is left empty.
#[must_use]
pub fn csv(history: &[Entry]) -> String {
    const HEADINGS: &str = "superbatch,positions,learning_rate,wdl,train_loss,validation_loss,score_loss,result_loss\n";
    let mut text = String::from(HEADINGS);
    for entry in history {
        let Entry { superbatch, positions, learning_rate, wdl, train_loss, validation_loss, .. } = entry;
        let [score_loss, result_loss] = [entry.score_loss, entry.result_loss].map(cell);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{superbatch},{positions},{learning_rate:.3e},{wdl:.4},{train_loss:.7},{validation_loss:.7},\
             {score_loss},{result_loss}"
        );
    }
    text
}

/// A loss that older trainings did not note.
fn cell(loss: Option<f64>) -> String {
    loss.map_or_else(String::new, |loss| format!("{loss:.7}"))
}

/// Draws both losses over the superbatches.
///
/// # Errors
///
/// If the file cannot be written.
pub fn draw(history: &[Entry], path: &Path) -> Result<(), Box<dyn Error>> {
    const SIZE: (u32, u32) = (960, 540);
    const BLUE: RGBColor = RGBColor(31, 119, 180);
    const ORANGE: RGBColor = RGBColor(255, 127, 14);

    let losses = history.iter().flat_map(|entry| [entry.train_loss, entry.validation_loss]);
    let (low, high) = losses.fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    if history.is_empty() || !low.is_finite() || !high.is_finite() {
        return Ok(());
    }
    let margin = ((high - low) * 0.05).max(high * 1e-3).max(1e-9);
    let last = history[history.len() - 1].superbatch.max(2);

    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Loss", ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(1..last, low - margin..high + margin)?;
    chart.configure_mesh().x_desc("superbatch").y_desc("mean squared error").light_line_style(WHITE).draw()?;
    type Loss = fn(&Entry) -> f64;
    let curves: [(&str, RGBColor, Loss); 2] =
        [("training", BLUE, |entry| entry.train_loss), ("validation", ORANGE, |entry| entry.validation_loss)];
    for (name, color, loss) in curves {
        let points = history.iter().map(|entry| (entry.superbatch, loss(entry)));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE)
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    drop(chart);
    drop(area);
    Ok(platform::write_file(path, picture)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(losses: &[f64]) -> Vec<Entry> {
        let entry = |(index, &loss): (usize, &f64)| Entry {
            superbatch: index as u64 + 1,
            positions: 1000 * (index as u64 + 1),
            learning_rate: 1e-3,
            wdl: 0.4,
            train_loss: loss,
            validation_loss: loss + 0.001,
            score_loss: (index > 0).then_some(loss / 2.0),
            result_loss: (index > 0).then_some(loss * 2.0),
        };
        losses.iter().enumerate().map(entry).collect()
    }

    #[test]
    fn table_has_a_line_for_each_superbatch() {
        let text = csv(&history(&[0.1, 0.09]));
        assert_eq!(
            text,
            "superbatch,positions,learning_rate,wdl,train_loss,validation_loss,score_loss,result_loss\n\
             1,1000,1.000e-3,0.4000,0.1000000,0.1010000,,\n\
             2,2000,1.000e-3,0.4000,0.0900000,0.0910000,0.0450000,0.1800000\n"
        );
    }

    #[test]
    fn any_history_can_be_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.svg");
        draw(&[], &path).unwrap();
        draw(&history(&[f64::NAN, f64::INFINITY]), &path).unwrap();
        for losses in [&[0.1][..], &[0.1, 0.1], &[0.2, 0.1, 0.05, 0.04], &[0.0]] {
            draw(&history(losses), &path).unwrap();
            let text = fs_err::read_to_string(&path).unwrap();
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            for name in ["training", "validation", "superbatch"] {
                assert!(text.contains(name), "{name} is missing");
            }
        }
    }
}
