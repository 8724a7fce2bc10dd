import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, session } from '../../page-testing.tsx'
import { section as modelsSection } from './section.ts'

const mappings = '/svc/mappings/api/v1/models'
const json = {
  type: 'object',
  instanceOf: 'Oven:1.1.0',
  properties: {
    temperature: { type: 'double', unit: '°C', label: 'Temperature' },
    running: { type: 'boolean' },
    zone: {
      type: 'object',
      instanceOf: 'Zone:1.0.0',
      properties: { power: { type: 'double', unit: 'kW' } },
    },
  },
}
const model = {
  id: 'oven123456',
  realmId: 'nordwerk',
  name: 'Oven',
  nameRaw: 'Oven',
  version: '1.1.0',
  orgResourceId: 'nordwerk',
  creationDate: 1_760_000_000_000,
  updatedAt: 1_760_000_000_000,
  parentId: null,
  deleted: false,
  subOrgsEnabledToView: false,
}
const uses = {
  presets: [
    {
      id: 'preset1234',
      name: 'Oven line 1',
      orgResourceId: 'nordwerk',
      modelId: model.id,
      version: '1.1.0',
      devices: 12,
      paths: ['running'],
    },
  ],
  others: { presets: 0, devices: 0 },
  views: [{ id: 'v1', name: 'Hall temperatures', paths: ['temperature'] }],
  devices: 12,
}
const pageOf = (data: unknown[]) => ({
  data,
  number: 0,
  totalElements: data.length,
  totalPages: 1,
  last: true,
})
type Tree = { properties: Record<string, { type: string }> }

/** Models that the server was asked to save. */
let saved: { name: string; data: Tree; expected?: string }[]

/** The paths that matter here are judged as the server does. */
function impact(_url: URL, body: unknown) {
  const { properties } = (body as { data: Tree }).data
  const gone = properties['running'] === undefined
  const wrong = Object.entries(properties).find(([, { type }]) => type === 'float')
  return {
    newest: { id: model.id, version: '1.1.0' },
    version: gone ? '2.0.0' : '1.2.0',
    change: gone ? 'major' : 'minor',
    problems: wrong
      ? [
          {
            path: `properties.${wrong[0]}.type`,
            message: 'unknown type "float"',
            severity: 'error',
            rule: 'type',
          },
        ]
      : [],
    changes: gone
      ? [
          { path: 'running', kind: 'removed', from: 'boolean', to: null, weight: 'major' },
          { path: 'temperature', kind: 'max', from: null, to: 250, weight: 'patch' },
        ]
      : [{ path: 'value', kind: 'added', from: null, to: 'double', weight: 'minor' }],
    ...uses,
  }
}

beforeEach(async () => {
  await desktop()
  queries.clear()
  saved = []
  answer({
    [`GET ${mappings}`]: () => pageOf([{ ...model, usage: { presets: 1, devices: 12 } }]),
    [`GET ${mappings}/oven123456`]: () => ({ ...model, json }),
    [`GET ${mappings}/oven123456/usage`]: () => ({ ...uses, newer: [] }),
    [`POST ${mappings}/oven123456/impact`]: impact,
    [`PUT ${mappings}/oven123456`]: (_url, body) => {
      saved.push(body as (typeof saved)[number])
      return { value: { ...model, json, version: '2.0.0' } }
    },
  })
})

const open = (path: string) => openPortal(path, { sections: [modelsSection], who: session() })
const tree = () => page.getByRole('tree', { name: 'Tree of Oven' })
const lines = () =>
  tree()
    .getByRole('treeitem')
    .elements()
    .map((line) => line.textContent)

test('the list tells newest version and uses, and its panel where a model is used [C-26]', async () => {
  await open('/models')
  const row = page.getByRole('row', { name: /Oven/ })
  await expect.poll(() => row.element().textContent).toMatch(/1\.1\.0/)
  await expect.poll(() => row.element().textContent).toMatch(/12/)
  await row.getByText('1.1.0').click()
  await expect.element(page.getByRole('link', { name: 'Oven line 1' })).toBeVisible()
  await expect.element(page.getByText('Hall temperatures')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('a model is changed by keyboard alone, and saving tells first what it means [C-26]', async () => {
  await open('/models/oven123456')
  await expect.element(tree()).toBeVisible()
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  const active = () => tree().element().getAttribute('aria-activedescendant') ?? ''
  await expect.poll(() => document.getElementById(active())?.textContent).toContain('running')
  await userEvent.keyboard('{Delete}')
  await expect.poll(lines).toHaveLength(4)
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(lines).toHaveLength(5)
  await userEvent.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expect.poll(lines).toHaveLength(4)
  await userEvent.keyboard('{Home}{Insert}')
  await userEvent.keyboard('pressure{Enter}')
  await expect.poll(lines).toContain('pressuredouble')
  await expect.poll(() => page.getByLabelText('Name', { exact: true }).elements()).toHaveLength(1)
  await page.getByLabelText('Maximum').fill('5,5')
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect.poll(() => lines()[2]).toBe('pressuredouble')
  await expect.element(page.getByText('2.0.0')).toBeVisible()
  expect(await faults()).toEqual([])

  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.element().textContent).toMatch(/Oven line 1/)
  await expect.poll(() => dialog.element().textContent).toMatch(/Presets must be adapted/)
  await expect
    .element(
      dialog.getByText(
        'The limits of 1 value change: set-points outside the new limits will be rejected.',
      ),
    )
    .toBeVisible()
  await dialog.getByRole('button', { name: 'Save as 2.0.0' }).click()
  await expect.poll(() => saved).toHaveLength(1)
  await expect.poll(() => saved[0]).toMatchObject({ name: 'Oven', expected: 'oven123456' })
  await expect
    .poll(() => saved[0]?.data.properties['pressure'])
    .toEqual({ type: 'double', max: 5.5 })
  await expect
    .poll(() => Object.keys(saved[0]?.data.properties ?? {}))
    .toEqual(['temperature', 'pressure', 'zone'])
})

test('instances of a node are added at once, numbered on, and taken back [C-26]', async () => {
  await open('/models/oven123456')
  await expect.poll(lines).toHaveLength(5)
  await tree().getByRole('treeitem', { name: /^zone/ }).click()
  await page.getByRole('button', { name: 'Add instances…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Number of instances' }).fill('3')
  await expect.element(dialog.getByRole('status')).toMatchTextContent(/^zone2, zone3, zone4$/)
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Add 3 instances' }).click()
  await expect.poll(() => lines().filter((line) => /^zone\d/.test(line ?? '')).length).toBe(3)
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(lines).toHaveLength(5)
})

test('a line is dragged with the pointer into an object and before another, as the keys do it [C-26]', async () => {
  await open('/models/oven123456')
  const line = (name: RegExp) => tree().getByRole('treeitem', { name })
  await expect.element(line(/^running/)).toHaveAttribute('aria-level', '2')
  await line(/^running/).dropTo(line(/^zone/))
  await expect.element(line(/^running/)).toHaveAttribute('aria-level', '3')
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(line(/^running/)).toHaveAttribute('aria-level', '2')
  const first = lines()[1] ?? ''
  expect(first).toMatch(/^temperature/)
  // On its upper edge: before it.
  await line(/^running/).dropTo(line(/^temperature/), { targetPosition: { x: 60, y: 2 } })
  await expect.poll(() => lines()[1]).toMatch(/^running/)
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect.poll(() => lines()[1]).toBe(first)
  // Into itself it does not go.
  await line(/^zone/).dropTo(line(/^zone/))
  await expect.element(line(/^zone/)).toHaveAttribute('aria-level', '2')
})

test('problems stand at their node and at their place in the text [V-01]', async () => {
  await open('/models/oven123456?tab=json')
  const text = page.getByRole('textbox', { name: 'JSON of the model' })
  await expect.element(text).toBeVisible()
  await text.click()
  await userEvent.keyboard('{Control>}a{/Control}')
  await userEvent.keyboard('{{"type":"object","properties":{{"a":{{"type":"float"')
  await expect.poll(() => document.querySelector('.cm-lint-marker-error')).not.toBeNull()
  await expect.element(page.getByText('Unsaved changes.')).toBeVisible()
  await page.getByRole('tab', { name: 'Tree' }).click()
  const problem = page.getByRole('button', { name: /properties\.a\.type/ })
  await expect.poll(() => problem.element().textContent).toMatch(/Unknown type/)
  await problem.click()
  const fault = page.getByRole('treeitem', { name: /a/, selected: true })
  await expect.element(fault).toHaveAttribute('data-fault')
})

test('leaving with unsaved changes asks, and staying keeps them', async () => {
  await open('/models/oven123456')
  await expect.element(tree()).toBeVisible()
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{End}{Delete}')
  await expect.element(page.getByText('Unsaved changes.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Models' }).click()
  await expect
    .poll(() => page.getByRole('dialog').element().textContent)
    .toMatch(/Discard changes\?/)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('Unsaved changes.')).toBeVisible()
  await expect.poll(() => lines()).toHaveLength(4)
})

test('parameters are declared, used in a name and a limit, and given where the object is [C-26]', async () => {
  await open('/models/oven123456')
  await tree().getByRole('treeitem', { name: /^zone/ }).click()
  const inspector = page.getByRole('complementary', { name: 'Properties' })
  const field = (name: string) => inspector.getByRole('textbox', { name, exact: true })
  await inspector.getByRole('button', { name: 'Add parameter' }).click()
  await field('Name').last().fill('n')
  await inspector.getByRole('button', { name: 'Add parameter' }).click()
  await field('Name').last().fill('top')
  await inspector.getByRole('combobox', { name: 'Type' }).last().click()
  await page.getByRole('option', { name: 'Number', exact: true }).click()
  await field('Default').last().fill('12.5')
  await field('n').fill('1')
  await field('Label').fill('Zone {n}')
  await expect.poll(lines).toContainEqual(expect.stringMatching(/^zoneZone 1/))
  expect(await faults()).toEqual([])
  await tree()
    .getByRole('treeitem', { name: /^power/ })
    .click()
  await field('Maximum').fill('{top}')
  await expect.element(inspector.getByText(/\{n\}, \{top\}/)).toBeVisible()
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save as 1.2.0' }).click()
  await expect.poll(() => saved).toHaveLength(1)
  expect(saved[0]?.data.properties['zone']).toMatchObject({
    label: 'Zone 1',
    template: { label: 'Zone {n}' },
    parameters: [
      { name: 'n', type: 'text' },
      { name: 'top', type: 'number', default: 12.5 },
    ],
    arguments: { n: '1' },
    properties: { power: { max: 12.5, template: { max: '{top}' } } },
  })
})
