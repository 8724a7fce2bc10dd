import { describe, expect, it } from 'vitest'
import { group, smallDocument, widget } from './board-testing.ts'
import { documentJsonSchema } from './document.ts'
import { boardLimits } from './limits.ts'
import { readDocument, readDocumentText } from './read.ts'

const faultsOf = (raw: unknown) => {
  const read = readDocument(raw)
  return read.ok ? [] : read.issues
}
const small = (nodes: Record<string, unknown> = {}, given = {}) => {
  const document = smallDocument()
  return { ...document, ...given, nodes: { ...document.nodes, ...nodes } }
}

describe('a document', () => {
  it('of schema 1 is read as it is, and what is not known in it is kept', () => {
    const document = small(
      { leaf: { ...widget('leaf'), type: 'later.widget', extra: [1] } },
      { more: 1 },
    )
    expect(readDocumentText(JSON.stringify(document))).toEqual({ ok: true, document })
  })

  it.each<[string, unknown, string, string]>([
    ['is no object', [], '/format', 'not_a_board'],
    ['is of another program', { projectWgt: {} }, '/format', 'not_a_board'],
    ['is newer', small({}, { schema: 2 }), '/schema', 'newer_schema'],
    ['has no schema', small({}, { schema: 'one' }), '/schema', 'not_one_of'],
    ['has no page', small({}, { pages: [] }), '/pages', 'too_small'],
    ['names a page twice', small({}, { pages: ['page', 'page'] }), '/pages/1', 'page_twice'],
    ['names a page that is none', small({}, { pages: ['page', 'root'] }), '/pages/1', 'not_a_page'],
    [
      'has a page that is not listed',
      small({ other: { ...smallDocument().nodes['page'], id: 'other' } }),
      '/nodes/other',
      'page_not_listed',
    ],
    [
      'has a node without parent',
      small({ leaf: widget('leaf', { parent: 'none' }) }),
      '/nodes/leaf/parent',
      'no_parent',
    ],
    ['has a node under another id', small({ leaf: widget('other') }), '/nodes/leaf/id', 'other_id'],
    [
      'has a node in a widget',
      small({ leaf: widget('leaf'), more: widget('more', { parent: 'leaf' }) }),
      '/nodes/more/parent',
      'not_a_group',
    ],
    [
      'has two root groups',
      small({ more: group('more', { parent: 'page' }) }),
      '/nodes/page',
      'too_many_root_groups',
    ],
    [
      'has a circle of groups',
      small({ one1: group('one1', { parent: 'two2' }), two2: group('two2', { parent: 'one1' }) }),
      '/nodes/one1/parent',
      'cycle',
    ],
    [
      'has a box outside its limits',
      small({ leaf: { ...widget('leaf'), box: { x: 0, y: 0, w: 0, h: 1 } } }),
      '/nodes/leaf/box/w',
      'too_small',
    ],
    [
      'has a wrong type of a field',
      small({ leaf: { ...widget('leaf'), name: 5 } }),
      '/nodes/leaf/name',
      'wrong_type',
    ],
    [
      'has a colour that is none',
      small({ leaf: { ...widget('leaf'), look: { fill: 'url(x)' } } }),
      '/nodes/leaf/look/fill',
      'invalid',
    ],
    [
      'has a key __proto__',
      JSON.parse('{"format":"longreach-board","nodes":{"__proto__":{}}}'),
      '/nodes/__proto__',
      'forbidden_key',
    ],
    [
      'has a key constructor in a property',
      small({ leaf: { ...widget('leaf'), props: { constructor: 1 } } }),
      '/nodes/leaf/props/constructor',
      'forbidden_key',
    ],
    [
      'has too many slots',
      small(
        {},
        {
          slots: Object.fromEntries(
            Array.from({ length: 33 }, (_, n) => [`s${n}`, { label: 'x' }]),
          ),
        },
      ),
      '/slots',
      'too_many',
    ],
  ])('is refused when it %s', (_, raw, pointer, code) => {
    expect(faultsOf(raw)).toContainEqual(expect.objectContaining({ pointer, code }))
  })

  it('is refused at a depth of 10,000, whatever is nested', () => {
    const lists = `{"format":"longreach-board","nodes":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    expect(readDocumentText(lists)).toMatchObject({ ok: false, issues: [{ code: 'too_deep' }] })
    const chain = Object.fromEntries(
      Array.from({ length: 4_000 }, (_, n) => [
        `node${n}`,
        group(`node${n}`, { parent: n === 0 ? 'root' : `node${n - 1}` }),
      ]),
    )
    expect(faultsOf(small(chain))).toContainEqual(
      expect.objectContaining({ code: 'too_deep', limit: boardLimits.depth }),
    )
  })

  it('is refused when it is longer than four MiB, and when it is no JSON', () => {
    const text = JSON.stringify(
      small({ leaf: widget('leaf', { props: { text: 'x'.repeat(5e6) } }) }),
    )
    expect(readDocumentText(text)).toMatchObject({ ok: false, issues: [{ code: 'too_large' }] })
    expect(readDocumentText('{')).toMatchObject({ ok: false, issues: [{ code: 'not_json' }] })
  })

  it('lists at most a hundred faults', () => {
    const wrong = Array.from({ length: 500 }, (_, n) => [`node${n}`, { id: `node${n}` }])
    expect(faultsOf(small(Object.fromEntries(wrong)))).toHaveLength(boardLimits.issues)
  })

  it('is described by a JSON Schema', () => {
    const schema = documentJsonSchema()
    expect(schema.$ref).toBe('#/$defs/Document')
    expect(schema.$defs?.['Document']).toMatchObject({
      required: ['format', 'schema', 'kind', 'pages', 'nodes'],
    })
    expect(Object.keys(schema.$defs ?? {})).toEqual(
      expect.arrayContaining(['Node', 'Binding', 'Act', 'Format']),
    )
  })
})
