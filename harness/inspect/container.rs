//! What a PAC holds: its members, each with what it is and what it is for.
use std::io::{self, Write};

use formats::detect::{Kind, ModelRoles, StageRoles, detect};
use formats::pac::{Pac, Packing};
use formats::stage::Environment;
use serde::Serialize;

use super::kind::identifier;
use super::table::{Align, Table, count};
use super::{Content, EnvironmentReport, Surroundings, content_of};

/// The role of the member that nothing but its place tells.
const ENVIRONMENT: &str = "environment";
/// PACs inside PACs are followed this far; shipped files go two deep.
const DEEPEST: usize = 8;

/// A PAC in numbers.
#[derive(Debug, Serialize)]
pub struct ContainerReport {
    /// 16, 8 or 4; `None` where no alignment explains the gaps.
    alignment: Option<usize>,
    members: Vec<MemberReport>,
    tail_bytes: usize,
}

#[derive(Debug, Serialize)]
struct MemberReport {
    member: usize,
    offset: usize,
    size: usize,
    /// `empty` for a member without bytes.
    kind: &'static str,
    #[serde(skip)]
    kind_text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Content>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl ContainerReport {
    pub(super) fn new(pac: &Pac, kind: Kind, around: Surroundings<'_>) -> Self {
        let roles = if kind == Kind::StagePac {
            stage_roles(pac)
        } else {
            model_roles(pac)
        };
        let members = pac
            .entries()
            .iter()
            .zip(pac.spans())
            .enumerate()
            .map(|(index, (bytes, span))| {
                let role = roles
                    .iter()
                    .find(|(member, _)| *member == index)
                    .map(|(_, role)| *role);
                MemberReport::new(index, bytes, span.start, role, around)
            });
        Self {
            alignment: match pac.packing() {
                Packing::Aligned(alignment) => Some(alignment.bytes()),
                Packing::Gaps(_) => None,
            },
            members: members.collect(),
            tail_bytes: pac.tail().len(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        let empty = self.members.iter().filter(|member| member.size == 0).count();
        match empty {
            0 => count(self.members.len(), "member"),
            _ => format!("{}, {empty} of them empty", count(self.members.len(), "member")),
        }
    }

    pub(super) fn write_text(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        match self.alignment {
            Some(alignment) => writeln!(out, "  {}, aligned to {alignment} bytes\n", self.summary())?,
            None => writeln!(out, "  {}, with unusual gaps between them\n", self.summary())?,
        }
        let mut table = Table::new([
            ("member", Align::Left),
            ("offset", Align::Right),
            ("size", Align::Right),
            ("kind", Align::Left),
            ("role", Align::Left),
            ("content", Align::Left),
        ]);
        self.add_rows(&mut table, "");
        table.write(out)?;
        if self.tail_bytes > 0 {
            writeln!(
                out,
                "\n  {} after the last member",
                count(self.tail_bytes, "byte")
            )?;
        }
        let readable = self.members.iter().find(|member| {
            member
                .content
                .as_ref()
                .is_some_and(|content| !content.is_opaque())
        });
        match readable {
            Some(member) => writeln!(
                out,
                "\n  ge-harness inspect {name}#{} shows a member",
                member.member
            ),
            None => Ok(()),
        }
    }

    fn add_rows(&self, table: &mut Table<6>, outer: &str) {
        for member in &self.members {
            let summary = member.content.as_ref().map(Content::summary).unwrap_or_default();
            table.row([
                format!("{outer}#{}", member.member),
                if member.size == 0 {
                    String::new()
                } else {
                    format!("{:#X}", member.offset)
                },
                member.size.to_string(),
                member.kind_text.clone(),
                member.role.unwrap_or_default().to_owned(),
                member
                    .error
                    .as_ref()
                    .map_or(summary, |error| format!("broken: {error}")),
            ]);
            if let Some(Content::Pac(inner) | Content::StagePac(inner)) = &member.content {
                inner.add_rows(table, &format!("{outer}#{}", member.member));
            }
        }
    }
}

impl MemberReport {
    fn new(
        member: usize,
        bytes: &[u8],
        offset: usize,
        role: Option<&'static str>,
        around: Surroundings<'_>,
    ) -> Self {
        let size = bytes.len();
        if size == 0 {
            return Self {
                member,
                offset: 0,
                size,
                kind: "empty",
                kind_text: "empty".into(),
                role: None,
                content: None,
                error: None,
            };
        }
        let kind = detect(bytes);
        let content = match kind {
            _ if around.depth >= DEEPEST => Ok(None),
            Kind::Unknown if role == Some(ENVIRONMENT) => Environment::parse(bytes)
                .map(|environment| Some(Content::Environment(EnvironmentReport::new(&environment)))),
            _ => content_of(
                kind,
                bytes,
                Surroundings {
                    depth: around.depth + 1,
                    ..around
                },
            )
            .map(Some),
        };
        let (content, error) = match content {
            Ok(content) => (content, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let kind_text = match kind {
            Kind::Unknown => "unknown".into(),
            known => known.to_string(),
        };
        Self {
            member,
            offset,
            size,
            kind: identifier(kind),
            kind_text,
            role,
            content,
            error,
        }
    }
}

fn model_roles(pac: &Pac) -> Vec<(usize, &'static str)> {
    let roles = ModelRoles::of(pac);
    let second = roles.second;
    [
        (roles.skeleton, "skeleton"),
        (roles.pmo, "model"),
        (roles.tmh, "textures"),
        (roles.animation, "animation"),
        (second.and_then(|set| set.skeleton), "second skeleton"),
        (second.map(|set| set.pmo), "second model"),
        (second.and_then(|set| set.tmh), "second textures"),
    ]
    .into_iter()
    .filter_map(|(member, role)| Some((member?, role)))
    .collect()
}

fn stage_roles(pac: &Pac) -> Vec<(usize, &'static str)> {
    let roles = StageRoles::of(pac);
    [
        (roles.terrain, "terrain"),
        (roles.tmh, "textures"),
        (roles.props, "props"),
        (roles.environment, ENVIRONMENT),
        (roles.parameters, "parameters"),
        (roles.collision, "collision"),
        (roles.extra[0], "extra"),
        (roles.extra[1], "extra"),
    ]
    .into_iter()
    .filter_map(|(member, role)| Some((member?, role)))
    .collect()
}
