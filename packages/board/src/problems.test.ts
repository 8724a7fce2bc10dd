import { describe, expect, it } from 'vitest'
import { type Board, openBoard } from './board.ts'
import { group, smallDocument, widget } from './board-testing.ts'
import type { SimpleBinding } from './binding.ts'
import type { WidgetNode } from './node.ts'
import { problems } from './problems.ts'
import { resolve } from './resolve.ts'

const tag = (path: string, mode: 'r' | 'rw' = 'r', slot = 'oven'): SimpleBinding => ({
  tag: { slot, path, mode },
})

/** Board with a slot `oven`, a variable `shift`, and these widgets. */
function boardOf(...widgets: [id: string, given: Partial<WidgetNode>][]): Board {
  const document = smallDocument()
  document.slots = { oven: { label: 'Oven', model: { name: 'Oven' } } }
  document.variables = { shift: { type: 'text', value: 'A' } }
  for (const [index, [id, given]] of widgets.entries()) {
    const box = { x: 0, y: index, w: 1, h: 1, r: 0 }
    document.nodes[id] = widget(id, { box, ...given })
  }
  return openBoard(document)
}

const known = {
  tags: {
    oven: new Map([
      ['zone1/temperature', { writable: false }],
      ['zone1/setpoint', { writable: true }],
      ['heaters[*]/power', { writable: false }],
    ]),
  },
}

const found = (given: Partial<WidgetNode>, also = {}) =>
  problems(boardOf(['leaf', given]), { ...known, ...also })

describe('problems of a board', () => {
  it('are none where everything that is named is there', () => {
    const bind: WidgetNode['bind'] = {
      value: tag('zone1/temperature'),
      power: tag('heaters[3]/power'),
      set: tag('zone1/setpoint', 'rw'),
      sum: {
        formula: {
          text: 'a + b',
          in: { a: tag('zone1/temperature'), b: { var: { name: 'shift' } } },
        },
      },
    }
    expect(found({ bind })).toEqual([])
  })

  it.each<[string, Partial<WidgetNode>, object]>([
    [
      'a path that the model has not',
      { bind: { value: tag('zone1/temperatur') } },
      { code: 'unknown_path', at: 'value', nearest: 'zone1/temperature' },
    ],
    [
      'a slot',
      { bind: { value: tag('a', 'r', 'press') } },
      { code: 'unknown_slot', params: { slot: 'press' } },
    ],
    [
      'a path that is only read',
      { bind: { value: tag('zone1/temperature', 'rw') } },
      { code: 'not_writable' },
    ],
    ['a variable', { bind: { value: { var: { name: 'none' } } } }, { code: 'unknown_variable' }],
    [
      'another node',
      { bind: { value: { node: { node: 'none', prop: 'value' } } } },
      { code: 'unknown_node' },
    ],
    [
      'a formula with a fault',
      { bind: { value: { formula: { text: '1 +', in: {} } } } },
      { code: 'formula', params: { fault: 'unexpected_end', line: 1, column: 4 } },
    ],
    [
      'a formula of the past',
      {
        bind: {
          value: { formula: { text: 'avgOver(a, 60)', in: { a: tag('zone1/temperature') } } },
        },
      },
      { code: 'formula_past' },
    ],
    [
      'an input of a formula',
      { bind: { value: { formula: { text: 'a + c', in: { a: tag('zone1/temperature') } } } } },
      { code: 'formula_input', params: { name: 'c' } },
    ],
    ['states', { format: { value: { map: 'none' } } }, { code: 'unknown_map' }],
    ['bands', { format: { value: { bands: 'none' } } }, { code: 'unknown_bands' }],
    [
      'a page to open',
      { acts: { click: [{ open: { page: 'none' } }] } },
      { code: 'unknown_page', at: 'click' },
    ],
    [
      'a value to write',
      { acts: { click: [{ write: { slot: 'oven', path: 'zone1/temperature', value: 1 } }] } },
      { code: 'not_writable', at: 'click' },
    ],
    ['columns of the grid', { box: { x: 20, y: 0, w: 8, h: 1, r: 0 } }, { code: 'off_page' }],
  ])('name %s that does not fit', (_, given, problem) => {
    expect(found(given)).toContainEqual(expect.objectContaining({ node: 'leaf', ...problem }))
  })

  it('name a type that is not known, and a device of another model', () => {
    const also = { types: new Set(['group']), models: { oven: 'Press' } }
    expect(found({}, also)).toEqual([
      { code: 'other_model', at: 'oven', params: { found: 'Press', wanted: 'Oven' } },
      { code: 'unknown_widget', node: 'leaf', params: { type: 'value' } },
    ])
  })

  it('name widgets that lie on each other, and properties that read each other', () => {
    const board = boardOf(
      ['one1', { bind: { value: { node: { node: 'two2', prop: 'value' } } } }],
      [
        'two2',
        {
          bind: { value: { node: { node: 'one1', prop: 'value' } } },
          box: { x: 0, y: 0, w: 2, h: 2, r: 0 },
        },
      ],
    )
    expect(
      problems(board)
        .map(({ code, node }) => `${code} ${node}`)
        .toSorted(),
    ).toEqual(['cycle one1', 'cycle two2', 'overlapping two2'])
  })
})

describe('values that a page reads', () => {
  const oven = (device: string, major = 2) => ({ device, model: { name: 'Oven', major } })

  it('have the path below the major of the device, each once', () => {
    const board = boardOf(
      ['one1', { bind: { value: tag('zone1/temperature') } }],
      [
        'two2',
        {
          bind: {
            value: tag('zone1/temperature'),
            label: { device: { slot: 'oven', field: 'label' } },
          },
        },
      ],
      ['gone', { bind: { value: tag('level', 'r', 'tank') } }],
    )
    const { sources, props } = resolve(board, 'page', { oven: [oven('d1')] })
    expect([...sources.values()]).toEqual(
      expect.arrayContaining([
        { kind: 'tag', device: 'd1', path: 'Oven:2/zone1/temperature' },
        { kind: 'device', device: 'd1', field: 'label' },
        { kind: 'empty', slot: 'tank' },
      ]),
    )
    expect(sources.size).toBe(3)
    expect(props).toHaveLength(4)
  })

  it('are those of each device in a repeater, with links among its children', () => {
    const document = smallDocument()
    document.slots = { oven: { label: 'Ovens', many: true } }
    document.nodes['each'] = {
      ...group('each', { type: 'repeater' }),
      props: { over: 'slot', slot: 'oven' },
    } as never
    document.nodes['leaf'] = widget('leaf', { parent: 'each', bind: { value: tag('temp') } })
    document.nodes['copy'] = widget('copy', {
      parent: 'each',
      bind: { value: { node: { node: 'leaf', prop: 'value' } } },
    })
    const board = openBoard(document)
    const { props } = resolve(board, 'page', { oven: [oven('d1'), oven('d2', 3)] })
    expect(props.map(({ instance, inputs }) => [instance, inputs['value']]).toSorted()).toEqual([
      ['copy:d1', 'prop leaf:d1 value'],
      ['copy:d2', 'prop leaf:d2 value'],
      ['leaf:d1', 'tag d1 Oven:2/temp'],
      ['leaf:d2', 'tag d2 Oven:3/temp'],
    ])
  })

  it('are worked out anew only for nodes that changed or got another device', () => {
    const board = boardOf(['one1', { bind: { value: tag('zone1/temperature') } }])
    const first = resolve(board, 'page', { oven: [oven('d1')] })
    const again = resolve(board, 'page', { oven: [oven('d1')] })
    const other = resolve(board, 'page', { oven: [oven('d2')] })
    expect(again.props[0]).toBe(first.props[0])
    expect(other.props[0]).not.toBe(first.props[0])
  })
})
