//! Tests of the report: what is written, and how it behaves in a browser.

mod browser;
mod chromium;
mod live;
mod looks;
mod own_moves;
mod page;
mod practice;
mod rules;
mod sample;
