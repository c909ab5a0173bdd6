//! The opcodes: every number from 00 to FF, its name and what its argument holds.

use std::fmt;

use super::Argument;

macro_rules! opcodes {
    ($($code:literal $name:ident $argument:ident $text:literal;)+) => {
        impl Opcode {
            $(#[doc = $text] pub const $name: Self = Self($code);)+
        }

        /// Name and argument of every opcode; those that do nothing have no name.
        const TABLE: [(Option<&str>, Argument); 256] = {
            let mut table = [(None, Argument::Unknown); 256];
            $(table[$code] = (Some(stringify!($name)), Argument::$argument);)+
            table
        };
    };
}

/// The top byte of a command word: which command it is.
///
/// Every byte is an opcode; those without a name do nothing but store their word
/// (`spec/ge-frontend.md §3`, whose section numbers the constants quote).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(pub u8);

impl Opcode {
    /// The name, unless the opcode has none.
    ///
    /// ```
    /// use ge::command::Opcode;
    ///
    /// assert_eq!(Opcode(0x04).name(), Some("PRIM"));
    /// assert_eq!(Opcode(0x03).name(), None);
    /// ```
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        TABLE[self.0 as usize].0
    }

    /// What the 24-bit argument holds.
    #[must_use]
    pub const fn argument(self) -> Argument {
        TABLE[self.0 as usize].1
    }

    /// The opcode `steps` further on, for registers that come in rows: one per mip level, light,
    /// target or row. Wraps at 256.
    #[must_use]
    pub const fn nth(self, steps: u8) -> Self {
        Self(self.0.wrapping_add(steps))
    }

    /// All 256 opcodes, in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..=u8::MAX).map(Self)
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => formatter.pad(name),
            None => formatter.pad(&format!("UNUSED{:02X}", self.0)),
        }
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

opcodes! {
    0x00 NOP Ignored "No operation.";
    0x01 VADDR Address "Vertex address: the working pointer becomes the relative address. (§2.7)";
    0x02 IADDR Address "Index address: the working pointer becomes the relative address. (§2.7)";
    0x04 PRIM Primitive "Draws primitives. (§2.8, §14)";
    0x05 BEZIER Bezier "Draws a Bezier surface. (§15)";
    0x06 SPLINE Spline "Draws a B-spline surface. (§15)";
    0x07 BBOX Count "Tests vertices against the drawing box and sets the list's result. (§10)";
    0x08 JUMP WordAddress "Jumps to the relative address. (§2.4)";
    0x09 BJUMP WordAddress "Jumps if the last bounding box was outside. (§2.4, §10)";
    0x0A CALL WordAddress "Pushes the next address and the address offset, then jumps. (§2.4)";
    0x0B RET Ignored "Returns from a CALL. (§2.4)";
    0x0C END EndData "Stops the list, depending on the word before it. (§2.5)";
    0x0E SIGNAL Signal "A signal, which takes effect at the END behind it. (§2.5)";
    0x0F FINISH FinishId "The end of the list, if an END is behind it. (§2.5)";
    0x10 BASE HighAddress "Bits 27 to 24 of relative addresses. (§2.3)";
    0x12 VTYPE VertexType "Vertex format and coordinate mode. (§6.1)";
    0x13 OFFSETADDR Offset "Address offset, in units of 256 bytes. (§2.3)";
    0x14 ORIGIN Ignored "The address offset becomes the address of this word. (§2.3)";
    0x15 REGION1 Position "A drawing rate that must be 0; the minimum corner of a bounding box test. (§16.3)";
    0x16 REGION2 Position "Inclusive maximum corner, beside the scissor. (§16.3)";
    0x17 LIGHTING Switch "Lighting enable.";
    0x18 LIGHT0 Switch "Light 0 enable.";
    0x19 LIGHT1 Switch "Light 1 enable.";
    0x1A LIGHT2 Switch "Light 2 enable.";
    0x1B LIGHT3 Switch "Light 3 enable.";
    0x1C DEPTHCLAMP Switch "On: depth is clamped, and primitives clipped at the near plane; off: rejected by depth. (§9)";
    0x1D CULLENABLE Switch "Back-face culling enable. (§14.3)";
    0x1E TEXENABLE Switch "Texture mapping enable.";
    0x1F FOGENABLE Switch "Fog enable.";
    0x20 DITHERENABLE Switch "Dither enable.";
    0x21 BLENDENABLE Switch "Alpha blend enable.";
    0x22 ALPHATESTENABLE Switch "Alpha test enable.";
    0x23 ZTESTENABLE Switch "Depth test enable.";
    0x24 STENCILTESTENABLE Switch "Stencil test enable.";
    0x25 ANTIALIAS Switch "Line antialias enable.";
    0x26 PATCHCULLENABLE Switch "Patch culling, of unknown effect. (§15.6)";
    0x27 COLORTESTENABLE Switch "Colour test enable.";
    0x28 LOGICOPENABLE Switch "Logic operation enable.";
    0x2A BONENUM BoneNumber "Bone element counter. (§5.1)";
    0x2B BONEDATA Float "Bone element, then the counter steps. (§5.1)";
    0x2C MORPH0 Float "Morph weight of target 0. (§7.1)";
    0x2D MORPH1 Float "Morph weight of target 1. (§7.1)";
    0x2E MORPH2 Float "Morph weight of target 2. (§7.1)";
    0x2F MORPH3 Float "Morph weight of target 3. (§7.1)";
    0x30 MORPH4 Float "Morph weight of target 4. (§7.1)";
    0x31 MORPH5 Float "Morph weight of target 5. (§7.1)";
    0x32 MORPH6 Float "Morph weight of target 6. (§7.1)";
    0x33 MORPH7 Float "Morph weight of target 7. (§7.1)";
    0x36 PATCHDIV PatchDivision "Subdivisions per patch. (§15.1)";
    0x37 PATCHPRIM PatchPrimitive "What patches are drawn as. (§15.6)";
    0x38 PATCHFACING PatchFacing "Direction of generated normals. (§15.5)";
    0x3A WORLDNUM ElementNumber "World matrix element counter. (§5.1)";
    0x3B WORLDDATA Float "World matrix element, then the counter steps. (§5.1)";
    0x3C VIEWNUM ElementNumber "View matrix element counter. (§5.1)";
    0x3D VIEWDATA Float "View matrix element, then the counter steps. (§5.1)";
    0x3E PROJNUM ElementNumber "Projection matrix element counter. (§5.1)";
    0x3F PROJDATA Float "Projection matrix element, then the counter steps. (§5.1)";
    0x40 TGENNUM ElementNumber "Texture matrix element counter. (§5.1)";
    0x41 TGENDATA Float "Texture matrix element, then the counter steps. (§5.1)";
    0x42 VPSCALEX Float "Viewport scale x. (§8.2)";
    0x43 VPSCALEY Float "Viewport scale y. (§8.2)";
    0x44 VPSCALEZ Float "Viewport scale z. (§8.2)";
    0x45 VPCENTERX Float "Viewport centre x. (§8.2)";
    0x46 VPCENTERY Float "Viewport centre y. (§8.2)";
    0x47 VPCENTERZ Float "Viewport centre z. (§8.2)";
    0x48 TEXSCALEU Float "UV scale. (§13.2)";
    0x49 TEXSCALEV Float "UV scale.";
    0x4A TEXOFFSETU Float "UV offset.";
    0x4B TEXOFFSETV Float "UV offset.";
    0x4C OFFSETX Fixed "Subtracted from screen x. (§8.3)";
    0x4D OFFSETY Fixed "Subtracted from screen y. (§8.3)";
    0x50 SHADE Shade "Flat or gouraud shading. (§14.5)";
    0x51 REVERSENORMAL Switch "Negates vertex normals. (§6.5)";
    0x53 MATERIALUPDATE MaterialUpdate "Components taken from the vertex colour. (§12.7)";
    0x54 MATEMISSIVE Color "Emissive colour. (§12.6)";
    0x55 MATAMBIENT Color "Ambient material; also the colour of vertices without colour. (§6.9)";
    0x56 MATDIFFUSE Color "Diffuse material.";
    0x57 MATSPECULAR Color "Specular material.";
    0x58 MATALPHA Byte "Alpha of the ambient material.";
    0x5B SPECULARCOEF Float "Exponent of specular and powered diffuse light. (§12.5)";
    0x5C AMBIENTCOLOR Color "Global ambient.";
    0x5D AMBIENTALPHA Byte "Alpha of global ambient.";
    0x5E LIGHTMODE LightMode "Whether specular light stays a separate colour. (§12.8)";
    0x5F LIGHTTYPE0 LightType "Light 0's components and type. (§12.1)";
    0x60 LIGHTTYPE1 LightType "Light 1's components and type. (§12.1)";
    0x61 LIGHTTYPE2 LightType "Light 2's components and type. (§12.1)";
    0x62 LIGHTTYPE3 LightType "Light 3's components and type. (§12.1)";
    0x63 LPOS0X Float "Light 0 position / direction towards it.";
    0x64 LPOS0Y Float "Light 0 position / direction towards it.";
    0x65 LPOS0Z Float "Light 0 position / direction towards it.";
    0x66 LPOS1X Float "Light 1 position / direction towards it.";
    0x67 LPOS1Y Float "Light 1 position / direction towards it.";
    0x68 LPOS1Z Float "Light 1 position / direction towards it.";
    0x69 LPOS2X Float "Light 2 position / direction towards it.";
    0x6A LPOS2Y Float "Light 2 position / direction towards it.";
    0x6B LPOS2Z Float "Light 2 position / direction towards it.";
    0x6C LPOS3X Float "Light 3 position / direction towards it.";
    0x6D LPOS3Y Float "Light 3 position / direction towards it.";
    0x6E LPOS3Z Float "Light 3 position / direction towards it.";
    0x6F LDIR0X Float "Light 0 spot axis (points towards the light).";
    0x70 LDIR0Y Float "Light 0 spot axis (points towards the light).";
    0x71 LDIR0Z Float "Light 0 spot axis (points towards the light).";
    0x72 LDIR1X Float "Light 1 spot axis (points towards the light).";
    0x73 LDIR1Y Float "Light 1 spot axis (points towards the light).";
    0x74 LDIR1Z Float "Light 1 spot axis (points towards the light).";
    0x75 LDIR2X Float "Light 2 spot axis (points towards the light).";
    0x76 LDIR2Y Float "Light 2 spot axis (points towards the light).";
    0x77 LDIR2Z Float "Light 2 spot axis (points towards the light).";
    0x78 LDIR3X Float "Light 3 spot axis (points towards the light).";
    0x79 LDIR3Y Float "Light 3 spot axis (points towards the light).";
    0x7A LDIR3Z Float "Light 3 spot axis (points towards the light).";
    0x7B LATT0A Float "Light 0 attenuation, constant term.";
    0x7C LATT0B Float "Light 0 attenuation, linear term.";
    0x7D LATT0C Float "Light 0 attenuation, quadratic term.";
    0x7E LATT1A Float "Light 1 attenuation, constant term.";
    0x7F LATT1B Float "Light 1 attenuation, linear term.";
    0x80 LATT1C Float "Light 1 attenuation, quadratic term.";
    0x81 LATT2A Float "Light 2 attenuation, constant term.";
    0x82 LATT2B Float "Light 2 attenuation, linear term.";
    0x83 LATT2C Float "Light 2 attenuation, quadratic term.";
    0x84 LATT3A Float "Light 3 attenuation, constant term.";
    0x85 LATT3B Float "Light 3 attenuation, linear term.";
    0x86 LATT3C Float "Light 3 attenuation, quadratic term.";
    0x87 SPOTEXP0 Float "Light 0 spot exponent.";
    0x88 SPOTEXP1 Float "Light 1 spot exponent.";
    0x89 SPOTEXP2 Float "Light 2 spot exponent.";
    0x8A SPOTEXP3 Float "Light 3 spot exponent.";
    0x8B SPOTCUT0 Float "Light 0 spot cutoff (cosine).";
    0x8C SPOTCUT1 Float "Light 1 spot cutoff (cosine).";
    0x8D SPOTCUT2 Float "Light 2 spot cutoff (cosine).";
    0x8E SPOTCUT3 Float "Light 3 spot cutoff (cosine).";
    0x8F LCOL0A Color "Light 0 ambient colour.";
    0x90 LCOL0D Color "Light 0 diffuse colour.";
    0x91 LCOL0S Color "Light 0 specular colour.";
    0x92 LCOL1A Color "Light 1 ambient colour.";
    0x93 LCOL1D Color "Light 1 diffuse colour.";
    0x94 LCOL1S Color "Light 1 specular colour.";
    0x95 LCOL2A Color "Light 2 ambient colour.";
    0x96 LCOL2D Color "Light 2 diffuse colour.";
    0x97 LCOL2S Color "Light 2 specular colour.";
    0x98 LCOL3A Color "Light 3 ambient colour.";
    0x99 LCOL3D Color "Light 3 diffuse colour.";
    0x9A LCOL3S Color "Light 3 specular colour.";
    0x9B CULL Cull "Which orientation culling removes. (§14.3)";
    0x9C FBPTR BufferOffset "Colour buffer offset in VRAM. (§16.1)";
    0x9D FBWIDTH BufferStride "Colour buffer stride in pixels; its address bits are ignored. (§16.1)";
    0x9E ZBPTR BufferOffset "Depth buffer offset in VRAM. (§16.2)";
    0x9F ZBWIDTH BufferStride "Depth buffer stride in pixels. (§16.2)";
    0xA0 TEXADDR0 LowAddress "Level 0's address, bits 23 to 4. (§16.6)";
    0xA1 TEXADDR1 LowAddress "Level 1's address, bits 23 to 4. (§16.6)";
    0xA2 TEXADDR2 LowAddress "Level 2's address, bits 23 to 4. (§16.6)";
    0xA3 TEXADDR3 LowAddress "Level 3's address, bits 23 to 4. (§16.6)";
    0xA4 TEXADDR4 LowAddress "Level 4's address, bits 23 to 4. (§16.6)";
    0xA5 TEXADDR5 LowAddress "Level 5's address, bits 23 to 4. (§16.6)";
    0xA6 TEXADDR6 LowAddress "Level 6's address, bits 23 to 4. (§16.6)";
    0xA7 TEXADDR7 LowAddress "Level 7's address, bits 23 to 4. (§16.6)";
    0xA8 TEXBUFW0 TextureStride "Level 0's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xA9 TEXBUFW1 TextureStride "Level 1's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xAA TEXBUFW2 TextureStride "Level 2's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xAB TEXBUFW3 TextureStride "Level 3's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xAC TEXBUFW4 TextureStride "Level 4's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xAD TEXBUFW5 TextureStride "Level 5's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xAE TEXBUFW6 TextureStride "Level 6's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xAF TEXBUFW7 TextureStride "Level 7's stride in texels, and bits 27 to 24 of its address. (§16.6)";
    0xB0 CLUTADDR LowAddress "CLUT address, bits 23 to 4. (§16.7)";
    0xB1 CLUTADDRHI HighAddress "CLUT address, bits 27 to 24. (§16.7)";
    0xB2 XFERSRC LowAddress "Transfer source. (§17)";
    0xB3 XFERSRCW TransferStride "Source stride in pixels, and bits 31 to 24 of its address. (§17)";
    0xB4 XFERDST LowAddress "Transfer destination. (§17)";
    0xB5 XFERDSTW TransferStride "Destination stride in pixels, and bits 31 to 24 of its address. (§17)";
    0xB8 TEXSIZE0 TextureSize "Level 0's size. (§16.6)";
    0xB9 TEXSIZE1 TextureSize "Level 1's size. (§16.6)";
    0xBA TEXSIZE2 TextureSize "Level 2's size. (§16.6)";
    0xBB TEXSIZE3 TextureSize "Level 3's size. (§16.6)";
    0xBC TEXSIZE4 TextureSize "Level 4's size. (§16.6)";
    0xBD TEXSIZE5 TextureSize "Level 5's size. (§16.6)";
    0xBE TEXSIZE6 TextureSize "Level 6's size. (§16.6)";
    0xBF TEXSIZE7 TextureSize "Level 7's size. (§16.6)";
    0xC0 TEXMAPMODE TextureMapMode "How texture coordinates are generated, and from what. (§13)";
    0xC1 TEXSHADELS ShadeLights "Which lights environment mapping takes for s and t. (§13.4)";
    0xC2 TEXMODE TextureMode "Texel order, CLUT per level, highest mip level. (§16.6)";
    0xC3 TEXFORMAT TextureFormat "Texel format. (§16.6)";
    0xC4 LOADCLUT ClutBlocks "Loads blocks of 32 bytes into CLUT memory, now. (§16.7)";
    0xC5 CLUTFORMAT ClutFormat "Entry format, and how a texel becomes an index. (§16.7)";
    0xC6 TEXFILTER TextureFilter "Minification and magnification filters. (§16.6)";
    0xC7 TEXWRAP TextureWrap "Clamp or repeat. (§16.6)";
    0xC8 TEXLEVEL TextureLevel "How the mip level is found, and its bias. (§16.6)";
    0xC9 TEXFUNC TextureFunction "How texel and primitive colour combine. (§16.6)";
    0xCA TEXENV Color "Texture environment colour.";
    0xCB TEXFLUSH Ignored "Invalidates the texture cache: no effect here.";
    0xCC TEXSYNC Ignored "Waits for a transfer: no effect here.";
    0xCD FOG1 Float "Fog end. (§11)";
    0xCE FOG2 Float "Fog slope. (§11)";
    0xCF FOGCOLOR Color "Fog colour.";
    0xD0 TEXLODSLOPE Float "Slope for TEXLEVEL mode 2.";
    0xD2 FBFORMAT FrameFormat "Colour buffer format. (§16.1)";
    0xD3 CLEARMODE ClearMode "Clear mode and what it writes. (§16.4)";
    0xD4 SCISSOR1 Position "Inclusive minimum. (§16.3)";
    0xD5 SCISSOR2 Position "Inclusive maximum. (§16.3)";
    0xD6 MINZ Depth "Smallest depth kept. (§9.6)";
    0xD7 MAXZ Depth "Largest depth kept. (§9.6)";
    0xD8 COLORTEST ColorTest "Colour test function. (§16.8)";
    0xD9 COLORREF Color "Colour test reference.";
    0xDA COLORTESTMASK Color "Colour test mask.";
    0xDB ALPHATEST MaskedTest "Alpha test. (§16.8)";
    0xDC STENCILTEST MaskedTest "Stencil test. (§16.8)";
    0xDD STENCILOP StencilOperations "Stencil operations. (§16.8)";
    0xDE ZTEST CompareFunction "Depth test function. (§16.8)";
    0xDF BLENDMODE BlendMode "Blend factors and equation. (§16.8)";
    0xE0 BLENDFIXA Color "Fixed source factor.";
    0xE1 BLENDFIXB Color "Fixed destination factor.";
    0xE2 DITHER0 DitherRow "Dither matrix row 0.";
    0xE3 DITHER1 DitherRow "Dither matrix row 1.";
    0xE4 DITHER2 DitherRow "Dither matrix row 2.";
    0xE5 DITHER3 DitherRow "Dither matrix row 3.";
    0xE6 LOGICOP LogicOperation "Logic operation. (§16.8)";
    0xE7 ZWRITEDISABLE Switch "On: depth is not written. (§16.8)";
    0xE8 MASKRGB Color "Colour bits protected from writing. (§16.8)";
    0xE9 MASKALPHA Byte "Alpha and stencil bits protected from writing. (§16.8)";
    0xEA XFERSTART TransferStart "Copies a rectangle of 16- or 32-bit pixels, now. (§17)";
    0xEB XFERSRCPOS Position "Corner of the source rectangle. (§17)";
    0xEC XFERDSTPOS Position "Corner of the destination rectangle. (§17)";
    0xEE XFERSIZE Size "Size of the rectangle. (§17)";
    0xF0 VSCX Fixed "Immediate x. (§2.9)";
    0xF1 VSCY Fixed "Immediate y.";
    0xF2 VSCZ Depth "Immediate z.";
    0xF3 VTCS Float "Immediate s.";
    0xF4 VTCT Float "Immediate t.";
    0xF5 VTCQ Float "Immediate q.";
    0xF6 VCV Color "Immediate primary colour.";
    0xF7 VAP ImmediateVertex "Alpha, primitive and flags of an immediate vertex; sends it. (§2.9)";
    0xF8 VFC Byte "Immediate fog coefficient.";
    0xF9 VSCV Color "Immediate secondary colour.";
    0xFF NOPFF Ignored "No operation, used as filler.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_the_numbers_of_the_table() {
        for (code, name) in [
            (0x00, "NOP"),
            (0x12, "VTYPE"),
            (0x33, "MORPH7"),
            (0x3E, "PROJNUM"),
            (0x86, "LATT3C"),
            (0xAF, "TEXBUFW7"),
            (0xC4, "LOADCLUT"),
            (0xEE, "XFERSIZE"),
            (0xFF, "NOPFF"),
        ] {
            assert_eq!(Opcode(code).name(), Some(name));
        }
        assert_eq!(Opcode::all().filter(|opcode| opcode.name().is_none()).count(), 22);
        assert_eq!(Opcode(0x29).to_string(), "UNUSED29");
        assert_eq!(Opcode::TEXADDR0.nth(7), Opcode::TEXADDR7);
    }
}
