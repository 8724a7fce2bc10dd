import { expect, test } from 'vitest'
import { readSvg } from './svg-reading.ts'

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"${attributes}>${inside}</svg>`
const read = (inside: string, attributes = '') => {
  const made = readSvg(svg(inside, attributes))
  if ('fault' in made) throw new Error(made.fault)
  const text = made.text
    .replace('<svg xmlns="http://www.w3.org/2000/svg">', '')
    .replace(/<\/svg>$/, '')
  return { text, losses: made.losses.map(({ kind, name }) => `${kind} ${name}`) }
}

test('[C-25] what draws in an SVG stays as it was', () => {
  const kept = [
    '<defs><linearGradient id="g1"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>',
    '<g id="a" transform="rotate(45)" style="fill:url(#g1);stroke:none"><path d="M0 0L1 1"></path></g>',
    '<text x="1" xml:space="preserve">a &lt; b &amp; &quot;c&quot; ü</text>',
    '<use href="#a"></use>',
    '<image href="data:image/png;base64,iVBORw0KGgo=" width="1"></image>',
    '<style>.a,#b&gt;g{fill:red;opacity:0.5}</style>',
  ].join('')
  expect(read(kept)).toEqual({ text: kept, losses: [] })
  expect(read('<use xlink:href="#x"/>').text).toBe('<use href="#x"></use>')
  // A link is drawn as a group.
  expect(read('<a xlink:href="https://evil.example/"><path d="M0 0"/></a>')).toEqual({
    text: '<g><path d="M0 0"></path></g>',
    losses: ['attribute xlink:href'],
  })
})

test.each([
  ['a script', '<script>alert(1)</script>', 'element script'],
  [
    'a script of another spelling',
    '<s:script xmlns:s="http://www.w3.org/2000/svg">x</s:script>',
    'element s:script',
  ],
  [
    'HTML',
    '<foreignObject><b xmlns="http://www.w3.org/1999/xhtml" onclick="x">b</b></foreignObject>',
    'element foreignObject',
  ],
  ['HTML in a group', '<iframe xmlns="http://www.w3.org/1999/xhtml" src="/"/>', 'element iframe'],
  [
    'an animation of a link',
    '<animate attributeName="href" to="javascript:x"/>',
    'element animate',
  ],
  ['an event attribute', '<path onload="alert(1)"/>', 'attribute onload'],
  ['a link to another drawing', '<use href="https://evil.example/a.svg#b"/>', 'attribute href'],
  ['a link to a script', '<use href=" java&#10;script:alert(1)"/>', 'attribute href'],
  [
    'a drawing in a drawing',
    '<image href="data:image/svg+xml;base64,PHN2Zz4="/>',
    'attribute href',
  ],
  ['a data page', '<use href="data:text/html;base64,PHN2Zz4="/>', 'attribute href'],
  ['an outer paint', '<path fill="url(https://evil.example/#a)"/>', 'attribute fill'],
  ['an outer paint with escapes', '<path fill="u\\72l(//evil.example)"/>', 'attribute fill'],
  ['an outer filter', '<path style="filter:url(//evil.example/f#a)"/>', 'property filter'],
  ['a picture of a style', '<path style="fill:image-set(\'//evil.example\')"/>', 'property fill'],
  ['a behaviour', '<path style="behavior:url(#x)"/>', 'property behavior'],
  ['an import', '<style>@import "//evil.example";</style>', ''],
  ['a font', '<style>@font-face{font-family:x;src:url(//evil.example)}</style>', 'rule @font-face'],
  [
    'an outer paint in a style sheet',
    '<style>a{fill:url(//evil.example)}</style>',
    'property fill',
  ],
  [
    'an end of style in a style sheet',
    '<style><![CDATA[a{fill:red}</style><script>x</script>]]></style>',
    '',
  ],
  ['another base', '<g xml:base="https://evil.example/"/>', 'attribute xml:base'],
  ['an attribute of another name space', '<g e:id="x" xmlns:e="urn:e"/>', 'attribute e:id'],
])('[C-25] %s is left out of an SVG and told', (_, inside, loss) => {
  const { text, losses } = read(inside)
  if (loss !== '') expect(losses).toContain(loss)
  expect(text).not.toMatch(
    /evil|script|on(load|click)|import|behavior|iframe|foreign|animate|text\/html|<b/i,
  )
})

test.each([
  [
    'entities',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
    /DOCTYPE/,
  ],
  [
    'an entity that nobody declared',
    '<!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
    /entity/i,
  ],
  ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"/>', /root/],
  ['HTML', '<!doctype html><script>1</script>', /./],
  ['no end', '<svg xmlns="http://www.w3.org/2000/svg"><g>', /unclosed/],
  ['two roots', '<svg xmlns="http://www.w3.org/2000/svg"/><svg/>', /./],
  ['an attribute twice', svg('<g id="a" id="b"/>'), /duplicate/],
  ['too deep groups', svg('<g>'.repeat(200) + '</g>'.repeat(200)), /deeper/],
  ['too many elements', svg('<g/>'.repeat(60_000)), /more than/],
  ['itself', svg('<g id="a"><use href="#a"/></g>'), /references/],
])('[C-25] an SVG with %s is refused', (_, text, fault) => {
  const read = readSvg(text)
  expect('fault' in read && read.fault).toMatch(fault)
})

test('[C-25] a DOCTYPE without entities is left out, and references that grow by the power are refused', () => {
  const plain = readSvg(
    `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b">${svg('<path d="M0 0"/>')}`,
  )
  expect(plain).toMatchObject({ losses: [{ kind: 'doctype', count: 1 }] })
  const level = (n: number) => `<g id="n${n}">${`<use href="#n${n - 1}"/>`.repeat(10)}</g>`
  const levels = (most: number) =>
    svg(
      `<g id="n0"/>${Array.from({ length: most }, (_, n) => level(n + 1)).join('')}<use href="#n${most}"/>`,
    )
  expect('fault' in readSvg(levels(2))).toBe(false)
  expect('fault' in readSvg(levels(9))).toBe(true)
})
