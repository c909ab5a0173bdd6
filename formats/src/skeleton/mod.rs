//! Skeletons: bone trees and bind poses.
