//! Tests of the report: what is written, and how it behaves in a browser.

mod browser;
mod chromium;
mod page;
mod sample;
