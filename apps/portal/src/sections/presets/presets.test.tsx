import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone } from '../../page-testing.tsx'
import { testDevice } from '../../device-testing.ts'
import { section as presetsSection } from './section.ts'

const base = '/svc/mappings/api/v1'
const tags = '/svc/platform/api/v1/organizations/nordwerk.*/devices/AAAAAAAAAAAAAAAAAAAAAA'
const sections = [presetsSection]
const model = {
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  properties: {
    temperature: { type: 'double', unit: '°C' },
    setpoint: { type: 'double' },
    deviation: { type: 'double' },
  },
}
const leaf = (source: string) => ({
  version: '1.0.0',
  type: 'double',
  mode: 'R',
  historyPolicy: { enabled: true },
  sendPolicy: {
    triggers: [{ type: 'onchange', changeMask: 'value', deadband: 0.5, minIntervalMs: 1000 }],
  },
  datalink: { source },
})
const preset = {
  id: 'p1',
  realmId: 'nordwerk',
  modelId: 'm1',
  modelName: 'Oven',
  name: 'Hall ovens',
  nameRaw: 'Hall ovens',
  version: '1.0.0',
  json: { type: 'object', instanceOf: 'Oven:1.0.0', properties: { temperature: leaf('T1') } },
  orgResourceId: 'nordwerk',
  deleted: false,
  subOrgsEnabledToView: false,
  creationDate: 1,
  updatedAt: 2,
}
const device = testDevice('AAAAAAAAAAAAAAAAAAAAAA', 'Oven 7', {
  configurationApplied: false,
  configurationError: 'the device has not taken over the configuration that it was sent',
  presetId: 'p1',
  presetName: 'Hall ovens',
  modelId: 'm1',
  modelName: 'Oven',
  modelVersion: '1.0.0',
})
const dataPage = (data: unknown[]) => ({
  data,
  number: 0,
  totalElements: data.length,
  totalPages: 1,
  last: true,
  timestamp: 1,
})
const figures = (count: number) => ({ count, min: 1, max: 9, last: { t: 1, v: 5 } })
const trial = {
  issues: [],
  warnings: [],
  changes: [
    {
      path: 'temperature',
      kind: 'changed',
      what: ['datalink'],
      values: [{ key: 'datalink', from: { source: 'T0' }, to: { source: 'T1' } }],
    },
  ],
  uses: { devices: 1, applied: 0, presets: [], views: [] },
  device: { deviceId: device.deviceId, label: 'Oven 7', since: 0, to: 1 },
  leaves: [
    {
      path: 'Oven:1/temperature',
      source: 'T1',
      from: 'Oven:1/temperature',
      history: true,
      sampled: false,
      missing: null,
      before: figures(600),
      after: figures(42),
      refused: 0,
      problem: null,
      line: [
        [0, 1],
        [1, 5],
      ],
    },
  ],
  complete: true,
}
const job = {
  id: '7',
  kind: 'create-preset',
  label: 'Oven',
  state: 'DONE',
  total: 0,
  done: 0,
  failed: 0,
  error: null,
  result: { presetId: 'p2' },
  createdAt: new Date(1),
  updatedAt: new Date(1),
}

let sent: Record<string, unknown> = {}
beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  sent = {}
  await desktop()
  answer(answers())
})

const agentCommand = {
  id: '00000000-0000-4000-8000-000000000000',
  command: 'tags.sample',
  askedBy: 'erika',
  askedAt: 1,
  answeredAt: 2,
  state: 'DONE',
  error: null,
}

function answers() {
  const keep = (name: string, result: unknown) => (_: URL, body: unknown) => {
    sent[name] = body
    return result
  }
  return {
    [`GET ${base}/presets`]: () => dataPage([preset]),
    [`GET ${base}/presets/uses`]: () => [
      { id: 'p1', devices: 1, applied: 0, pending: 0, error: 1 },
    ],
    [`GET ${base}/presets/p2`]: () => ({ value: { ...preset, id: 'p2', modelId: 'm2' } }),
    [`GET ${base}/models/m2`]: () => ({
      ...preset,
      id: 'm2',
      name: 'Oven',
      parentId: null,
      json: { ...model, properties: { zone: { type: 'object', properties: model.properties } } },
    }),
    [`GET ${base}/presets/p1`]: () => ({ value: preset }),
    [`GET ${base}/models/m1`]: () => ({
      ...preset,
      id: 'm1',
      name: 'Oven',
      parentId: null,
      json: model,
    }),
    [`GET ${base}/devices`]: () => dataPage([device]),
    [`GET ${base}/devices/${device.id}`]: () => ({ value: device }),
    [`POST ${base}/presets/dryRun`]: keep('trial', trial),
    [`PUT ${base}/presets/p1`]: keep('update', { value: preset }),
    [`POST ${base}/presets/async`]: keep('create', { id: '7', status: 'PROCESSING', error: null }),
    [`GET ${base}/jobs/7`]: () => job,
    [`GET ${base}/jobs`]: () => ({ data: [job] }),
    [`POST ${base}/presets/p2/assign`]: keep('assign', { id: '7' }),
    [`POST ${base}/devices/${device.id}/configuration/resend`]: keep('resend', { sent: true }),
    [`GET ${tags}/availableTags`]: () => [
      { name: 'T1', type: 'double' },
      { name: 'SetPoint', type: 'double' },
      { name: 'spare', type: 'double' },
    ],
    [`GET ${tags}/series`]: () => [],
    [`GET ${tags}/configuration`]: () => ({
      configurationJson: null,
      configurationFromDevice: null,
      sentAt: null,
      applied: false,
      error: null,
    }),
  }
}

const listed = (name: string) => page.getByRole('listbox', { name })
const tree = () => page.getByRole('tree', { name: 'Values of the model' })

test('the list says how far devices are, and its panel shows the way out [C-26]', async () => {
  await openPortal('/presets?preset=p1', { sections })
  await expect.element(page.getByText('1 device did not apply it').first()).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Differences' })).toBeVisible()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => 'resend' in sent).toBe(true)
  expect(await faults()).toEqual([])
  await phone()
  expect(await faults()).toEqual([])
})

test('values are linked by keyboard and by name, and every step can be taken back [C-26]', async () => {
  await openPortal(`/presets/p1?device=${device.id}`, { sections })
  await expect.element(page.getByText('1 of 3 linked')).toBeVisible()
  await expect.element(page.getByText(/1 value matches a data point/)).toBeVisible()
  await page.getByRole('button', { name: 'Link all' }).click()
  await expect.element(page.getByText('2 of 3 linked')).toBeVisible()
  const values = tree()
  ;(values.element() as HTMLElement).focus()
  await userEvent.keyboard('{End}{Enter}')
  await expect.element(listed('Data points of the device')).toHaveFocus()
  await userEvent.keyboard('{End}{Enter}')
  await expect.element(page.getByText('3 of 3 linked')).toBeVisible()
  ;(values.element() as HTMLElement).focus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(page.getByText('2 of 3 linked')).toBeVisible()
  await userEvent.keyboard('{Home}')
  await expect
    .element(page.getByText(/changes by more than 0.5, at most every 1 sec/))
    .toBeVisible()
  await expect.element(page.getByRole('cell', { name: '600' })).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Save…' }).click()
  await expect.element(page.getByText(/42 values would be sent/)).toBeVisible()
  await expect.element(page.getByText('Source: T0 → T1')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => sent['update']).toMatchObject({ name: 'Hall ovens', unchangedSince: 2 })
  const { data } = sent['update'] as { data: { properties: object } }
  expect(Object.keys(data.properties)).toEqual(['temperature', 'setpoint'])
})

test('the panes are made wider by keys, and stay so [C-26]', async () => {
  await desktop()
  const open = () => openPortal(`/presets/p1?device=${device.id}`, { sections })
  const divider = page.getByRole('separator', { name: 'Width of the values' })
  const width = () => Number(divider.element().getAttribute('aria-valuenow'))
  await open()
  await expect.poll(width).toBeGreaterThan(200)
  const before = width()
  ;(divider.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.poll(width).toBeGreaterThan(before + 40)
  const wide = width()
  expect(await faults()).toEqual([])
  await open()
  await expect.poll(width).toBe(wide)
  await divider.dblClick()
  await expect.poll(width).toBe(before)
})

test('a tag is dragged with the pointer onto the value that it becomes [C-26]', async () => {
  await openPortal(`/presets/p1?device=${device.id}`, { sections })
  await expect.element(page.getByText('1 of 3 linked')).toBeVisible()
  const tag = listed('Data points of the device').getByRole('option', { name: /^spare/ })
  await tag.dropTo(tree().getByRole('treeitem', { name: /^deviation/ }))
  await expect.element(page.getByText('2 of 3 linked')).toBeVisible()
  await expect.element(tree().getByRole('treeitem', { name: /^deviation.*spare/ })).toBeVisible()
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(page.getByText('1 of 3 linked')).toBeVisible()
})

test('a name typed after a link is one step, and undo leaves the link as it is [C-26]', async () => {
  await openPortal(`/presets/p1?device=${device.id}`, { sections })
  await expect.element(page.getByText('1 of 3 linked')).toBeVisible()
  const tag = listed('Data points of the device').getByRole('option', { name: /^spare/ })
  await tag.dropTo(tree().getByRole('treeitem', { name: /^deviation/ }))
  await expect.element(page.getByText('2 of 3 linked')).toBeVisible()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const before = (name.element() as HTMLInputElement).value
  await name.click()
  await userEvent.keyboard('{End} A7')
  await expect.element(name).toHaveValue(`${before} A7`)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(name).toHaveValue(before)
  await expect.element(page.getByText('2 of 3 linked')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('1 of 3 linked')).toBeVisible()
})

test('a value that nothing is known of says so, and is tried on what the gateway reads [C-26] [V-01]', async () => {
  const [leaf] = trial.leaves
  const unknown = { path: leaf?.path, source: 'T1', from: null, history: true }
  answer({
    ...answers(),
    [`GET ${tags}/agent`]: () => ({
      announced: true,
      connected: true,
      health: null,
      reportedAt: null,
      clockDifferenceMs: null,
      available: null,
    }),
    [`POST ${tags}/agent/commands`]: (_: URL, body: unknown) => {
      sent['command'] = body
      return { ...agentCommand, result: { samples: { T1: [[1, 5]] } } }
    },
    [`POST ${base}/presets/dryRun`]: (_: URL, body: unknown) => {
      const { samples } = body as { samples?: object }
      const told = { ...unknown, sampled: false, missing: 'not_asked' }
      return { ...trial, leaves: [samples ? { ...leaf, from: null, sampled: true } : told] }
    },
  })
  await openPortal(`/presets/p1?device=${device.id}`, { sections })
  await tree()
    .getByRole('treeitem', { name: /^temperature/ })
    .click()
  await expect
    .element(page.getByText('No data yet: this data point was not requested.'))
    .toBeVisible()
  await page.getByRole('button', { name: 'Read these data points now' }).click()
  await expect.element(page.getByText(/values that the gateway has just read/)).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '42' })).toBeVisible()
  expect(sent['command']).toMatchObject({ command: 'tags.sample', input: { tags: ['T1'] } })
  expect(await faults()).toEqual([])
})

test('a new preset is made as a job and then handed out [T-09] [C-26]', async () => {
  await openPortal(`/presets/new?model=m1&device=${device.id}`, { sections })
  await page.getByRole('button', { name: 'Link all' }).click()
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('The preset was saved.')).toBeVisible()
  await expect.poll(() => sent['create']).toMatchObject({ name: 'Oven' })
  await page.getByRole('button', { name: 'Assign to…' }).click()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect.poll(() => sent['assign']).toEqual({ deviceIds: [device.id] })
  await expect.element(page.getByText(/Applied by \d/)).toBeVisible()
})

test('the tree of values folds and unfolds by keyboard [C-26]', async () => {
  await openPortal(`/presets/p2?device=${device.id}`, { sections })
  const line = (name: RegExp) => page.getByRole('treeitem', { name })
  await expect.element(line(/^temperature/)).toHaveAttribute('aria-level', '2')
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Home}{ArrowLeft}')
  await expect.element(line(/^zone/)).toHaveAttribute('aria-expanded', 'false')
  await expect.element(line(/^temperature/)).not.toBeInTheDocument()
  await page.getByRole('textbox', { name: 'Search values' }).fill('temp')
  await expect.element(line(/^temperature/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Search values' }).fill('')
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{Home}{ArrowRight}')
  await expect.element(line(/^temperature/)).toBeVisible()
  expect(await faults()).toEqual([])
})

test('of a thousand values and tags only those in sight are drawn [C-26]', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `value${index}`)
  const json = {
    ...model,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'double' }])),
  }
  answer({
    ...answers(),
    [`GET ${base}/models/m1`]: () => ({ ...preset, id: 'm1', name: 'Oven', parentId: null, json }),
    [`GET ${tags}/availableTags`]: () => names.map((name) => ({ name, type: 'double' })),
  })
  await openPortal(`/presets/p1?device=${device.id}`, { sections })
  await expect.element(tree().getByRole('treeitem', { name: /^value0 / })).toBeVisible()
  const options = () => document.querySelectorAll('[role="option"]').length
  await expect.poll(options).toBeGreaterThan(5)
  const drawn = () => document.querySelectorAll('[role="treeitem"], [role="option"]').length
  await expect.poll(drawn).toBeLessThan(200)
  ;(tree().element() as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.element(tree().getByRole('treeitem', { name: /^value999 / })).toBeVisible()
  expect(drawn()).toBeLessThan(200)
})

/** Chooses an option of a field by keyboard. */
async function choose(field: string, option: string) {
  const select = page.getByRole('combobox', { name: field })
  await select.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Sampling and reduce of the formula that is open, with a wrong number told at its field. */
async function timeIsSet() {
  await choose('Calculated', 'Once per interval')
  const size = page.getByRole('textbox', { name: 'Interval' })
  await size.fill('0')
  await expect.element(page.getByText('Enter a number above 0')).toBeVisible()
  await size.fill('5')
  await expect.element(page.getByText('Enter a number above 0')).not.toBeInTheDocument()
  await choose('Aggregation of results', 'Over the last intervals')
  await page.getByRole('textbox', { name: 'Number of intervals' }).fill('6')
  await choose('Function', 'Maximum')
  const posted = () => (sent['trial'] as { data?: object } | undefined)?.data
  await expect.poll(posted).toMatchObject({
    properties: {
      deviation: {
        datalink: {
          source: {
            alignment: { sampling: { size: 5, unit: 'minutes', extent: 6 } },
            functions: {
              formula: { map: 'temperature - 20', reduce: { operator: 'max' } },
            },
          },
        },
      },
    },
  })
  expect(await faults()).toEqual([])
}

test('a formula is written with its faults at their place [V-01]', async () => {
  localStorage.setItem('longreach.feature.formulaMapping', 'true')
  await openPortal(`/presets/p1?device=${device.id}`, { sections })
  const values = tree()
  await expect.element(values).toBeVisible()
  ;(values.element() as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await page.getByText('Formula', { exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Formula' })
  await text.click()
  await userEvent.keyboard('temperature - 20')
  await expect.element(page.getByText('2 of 3 linked')).toBeVisible()
  await userEvent.keyboard(' + nowhere')
  await expect
    .poll(() => document.querySelector('.cm-lintRange-error')?.textContent)
    .toBe('nowhere')
  await userEvent.keyboard('{Control>}a{/Control}temperature - 20')
  await timeIsSet()
})

test('sending more often than once a second is refused until the feature for it is on [F-01 in part]', async () => {
  await openPortal('/presets/p1', { sections })
  await tree()
    .getByRole('treeitem', { name: /^temperature/ })
    .click()
  const pause = page.getByRole('textbox', { name: 'At most every', exact: true })
  await pause.fill('0.2')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/experimental feature/)
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save', exact: true })
  await expect.element(save).toBeDisabled()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/temperature/)
  // The way out is in the message, and nothing that was edited is lost by it.
  await dialog.getByRole('button', { name: 'Enable fast values' }).click()
  await expect.element(save).toBeEnabled()
  await save.click()
  await expect.poll(() => JSON.stringify(sent['update'])).toContain('"minIntervalMs":200')
})

test('stored fast values and a failed trial keep nobody from renaming a preset [C-26]', async () => {
  const stored = leaf('T1')
  const fast = {
    ...stored,
    sendPolicy: { triggers: [{ ...stored.sendPolicy.triggers[0], minIntervalMs: 250 }] },
  }
  const json = { ...preset.json, properties: { temperature: fast, setpoint: fast } }
  const { [`POST ${base}/presets/dryRun`]: _away, ...others } = answers()
  answer({ ...others, [`GET ${base}/presets/p1`]: () => ({ value: { ...preset, json } }) })
  await openPortal('/presets/p1', { sections })
  await page.getByText('Problems', { exact: true }).click()
  await expect.element(tree().getByRole('treeitem', { name: /^setpoint/ })).toBeVisible()
  await expect.element(tree().getByRole('treeitem', { name: /^deviation/ })).not.toBeInTheDocument()
  await page.getByRole('textbox', { name: 'Name' }).fill('Hall ovens 2')
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('dialog')
  await expect
    .element(dialog.getByText(/2 saved values are sent more than once per second/))
    .toBeVisible()
  await expect.element(dialog.getByText(/You can save without it/)).toBeVisible()
  await expect.element(dialog.getByText(/not found/i)).not.toBeInTheDocument()
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => sent['update']).toMatchObject({ name: 'Hall ovens 2', data: json })
})
