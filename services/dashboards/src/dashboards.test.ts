import { smallDocument, widget } from '@longreach/board/board-testing'
import { openBoard, textOfBoard } from '@longreach/board/board'
import type { Change } from '@longreach/board/change'
import lz from 'lz-string'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DashboardsTest, dashboardsTest, organization, query } from './dashboards-testing.ts'

let server: DashboardsTest
beforeAll(async () => {
  server = await dashboardsTest()
})
afterAll(() => server.close())

const of = (id: string) => ({ params: { id }, query })
const document = () => {
  const made = smallDocument()
  made.nodes['leaf'] = widget('leaf', { props: { label: 'Zone 1' } })
  return made
}
const text = () => textOfBoard(openBoard(document()))
const label = (value: string): Change => ({
  op: 'set',
  id: 'leaf',
  path: ['props', 'label'],
  value,
})
/** Document of a draft as `label of leaf`. */
const labelIn = (json = '') =>
  (JSON.parse(json) as ReturnType<typeof document>).nodes['leaf']?.props as { label: string }

test('[C-23] [E-13] a dashboard is made, listed, opened, changed and deleted', async () => {
  const made = await server.admin.createDashboard({
    query,
    body: {
      name: ' Oven line ',
      description: 'All ovens',
      json: text(),
      cardStyle: { flagColor: '#f00' },
    },
  })
  expect(made).toMatchObject({
    name: 'Oven line',
    type: 'DASHBOARD',
    owner: 'adam',
    orgResourceId: organization,
    realmId: 'nordwerk',
    readers: [],
    editors: [],
    version: '1',
    deleted: false,
    cardStyle: { flagColor: '#f00' },
    longreach: { role: 'owner', currentVersion: '1' },
  })
  expect(made.json).toBe(text())
  const list = await server.admin.dashboards({ query: { ...query, search: 'OVEN' } })
  expect(list).toMatchObject({ totalElements: 1, data: [{ id: made.id, version: '1' }] })
  expect(list.data[0]).not.toHaveProperty('json')
  const changed = await server.admin.updateDashboard({ ...of(made.id), body: { name: 'Ovens' } })
  expect(changed).toMatchObject({ name: 'Ovens', description: 'All ovens' })
  await server.admin.deleteDashboard(of(made.id))
  await expect(server.admin.dashboard(of(made.id))).rejects.toMatchObject({ status: 404 })
})

test('[C-23] as the mobile app asks for its dashboards, they are answered', async () => {
  const made = await server.create('Mobile')
  const asked = { page: 0, pageSize: 100, search: '', append: 'true', orderBy: '', orderDir: '' }
  const mine = await server.admin.myDashboards({ query: { ...asked, ...query } as never })
  expect(mine.data.map(({ id }) => id)).toContain(made.id)
})

test('a posted document is taken compressed, and refused with each fault and its place', async () => {
  for (const json of [lz.compressToBase64(text()), lz.compressToEncodedURIComponent(text())]) {
    const made = await server.admin.createDashboard({ query, body: { name: 'Packed', json } })
    expect(made.json).toBe(text())
  }
  const wrong = { ...document(), pages: ['none'] }
  const refused = server.admin.createDashboard({
    query,
    body: { name: 'Wrong', json: JSON.stringify(wrong) },
  })
  await expect(refused).rejects.toMatchObject({
    status: 422,
    code: 'dashboards.document_invalid',
    details: {
      field: 'json',
      issues: expect.arrayContaining([{ pointer: '/pages/0', code: 'not_a_page', found: 'none' }]),
    },
  })
  const found = await server.admin.dashboards({ query: { ...query, search: 'Wrong' } })
  expect(found.totalElements).toBe(0)
})

test('a document of another program is answered byte for byte, and not edited', async () => {
  const json = '{ "projectWgt": {"wgts":[]},  "name":"Old" }'
  const { id } = await server.admin.createDashboard({ query, body: { name: 'Foreign', json } })
  expect((await server.admin.dashboard(of(id))).json).toBe(json)
  const edit = server.admin.changeDraft({
    ...of(id),
    body: { base: 0, session: 'session-1', seq: 1, label: '', changes: [label('x')] },
  })
  await expect(edit).rejects.toMatchObject({ status: 409, code: 'dashboards.document_foreign' })
})

test('changes of two editors are put into one order, and each hears of the other', async () => {
  const { id } = await server.admin.createDashboard({ query, body: { name: 'Two', json: text() } })
  const edit = (session: string, base: number, seq: number, value: string) =>
    server.admin.changeDraft({
      ...of(id),
      body: { base, session, seq, label: `Label ${value}`, changes: [label(value)] },
    })
  expect(await edit('session-1', 0, 1, 'one')).toEqual({ revision: 1, missed: [], dropped: [] })
  const second = await edit('session-2', 0, 1, 'two')
  expect(second).toMatchObject({ revision: 2, missed: [{ revision: 1, changes: [label('one')] }] })
  // The same again, as after a lost answer, changes nothing.
  expect(await edit('session-2', 0, 1, 'two')).toMatchObject({ revision: 2, dropped: [] })
  const draft = await server.admin.dashboardDraft(of(id))
  expect(draft).toMatchObject({ revision: 2, base: '1' })
  expect(labelIn(JSON.stringify(draft.document)).label).toBe('two')
  const history = await server.admin.draftHistory({ params: { id }, query })
  expect(history).toMatchObject({
    last: true,
    data: [
      { revision: 2, label: 'Label two', author: 'adam' },
      { revision: 1, label: 'Label one' },
    ],
  })
  // Readers see what was published.
  expect(labelIn((await server.admin.dashboard(of(id))).json).label).toBe('Zone 1')
  const ahead = edit('session-1', 9, 2, 'x')
  await expect(ahead).rejects.toMatchObject({ status: 409, details: { revision: 2 } })
})

test('an editor that is further behind than one answer holds is told to load the draft again', async () => {
  const { id } = await server.admin.createDashboard({ query, body: { name: 'Far', json: text() } })
  const edit = (base: number, seq: number) =>
    server.admin.changeDraft({
      ...of(id),
      body: {
        base,
        session: 'session-1',
        seq,
        label: '',
        changes: Array.from({ length: 400 }, (_, n) => label(`${seq} ${n} ${'x'.repeat(1_900)}`)),
      },
    })
  for (let seq = 1; seq <= 6; seq += 1) await edit(seq - 1, seq)
  await expect(edit(0, 7)).rejects.toMatchObject({
    status: 409,
    code: 'dashboards.draft_changed',
    details: { revision: 6 },
  })
  // Nor is one answered as if it had heard all, from which a change is not kept any more.
  await server.db
    .deleteFrom('draft_change')
    .where('item', '=', id)
    .where('revision', '=', 6)
    .execute()
  await expect(edit(5, 8)).rejects.toMatchObject({ code: 'dashboards.draft_changed' })
  const { data } = await server.admin.draftHistory({ params: { id }, query })
  expect(data[0]).not.toHaveProperty('changes')
})

test('many changes at once are all kept, each once', async () => {
  const { id } = await server.admin.createDashboard({ query, body: { name: 'Many', json: text() } })
  const all = Array.from({ length: 30 }, (_, n) =>
    server.admin.changeDraft({
      ...of(id),
      body: { base: 0, session: `session-${n}`, seq: 1, label: '', changes: [label(String(n))] },
    }),
  )
  const revisions = (await Promise.all(all)).map(({ revision }) => revision)
  expect(revisions.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 30 }, (_, n) => n + 1),
  )
  expect((await server.admin.dashboardDraft(of(id))).revision).toBe(30)
})

test('a draft of more than 200 changes has a snapshot, and any revision comes back', async () => {
  const { id } = await server.admin.createDashboard({ query, body: { name: 'Long', json: text() } })
  for (let seq = 1; seq <= 205; seq += 1) {
    await server.admin.changeDraft({
      ...of(id),
      body: { base: seq - 1, session: 'session-1', seq, label: '', changes: [label(`v${seq}`)] },
    })
  }
  const { snapshot_revision } = await server.db
    .selectFrom('draft')
    .selectAll()
    .where('item', '=', id)
    .executeTakeFirstOrThrow()
  expect(snapshot_revision).toBe(200)
  expect(
    labelIn(
      (await server.admin.dashboard({ ...of(id), query: { ...query, version: 'DRAFT' } })).json,
    ).label,
  ).toBe('v205')
  await server.admin.restoreDraft({ ...of(id), body: { revision: 150 } })
  const restored = await server.admin.dashboardDraft(of(id))
  expect(restored.revision).toBe(206)
  expect(labelIn(JSON.stringify(restored.document)).label).toBe('v150')
  const gone = server.admin.restoreDraft({ ...of(id), body: { revision: 900 } })
  await expect(gone).rejects.toMatchObject({ status: 404, code: 'dashboards.no_such_revision' })
})

test('[T-08] versions are made, derived, made current and deleted', async () => {
  const { id } = await server.admin.createDashboard({ query, body: { name: 'V', json: text() } })
  const version = (name: string) => ({ params: { id, version: name }, query })
  const edit = (base: number, value: string) =>
    server.admin.changeDraft({
      ...of(id),
      body: { base, session: 'session-1', seq: base + 1, label: '', changes: [label(value)] },
    })
  // What equals its base is that version.
  const same = await server.admin.createVersion({ ...of(id), body: {} })
  expect(same).toMatchObject({ name: '1', longreach: { isCurrent: true } })
  await edit(0, 'two')
  const body = { name: 'Summer', description: 'Two', current: true }
  expect(await server.admin.createVersion({ ...of(id), body })).toMatchObject({
    name: 'Summer',
    description: 'Two',
    owner: 'adam',
    longreach: { isCurrent: true },
  })
  expect(labelIn((await server.admin.dashboard(of(id))).json).label).toBe('two')
  const again = server.admin.createVersion({ ...of(id), body: { name: 'Summer' } })
  await expect(again).rejects.toMatchObject({ status: 409, code: 'dashboards.name_taken' })
  const derived = await server.admin.deriveVersion({ ...version('1'), body: { name: 'Winter' } })
  expect(derived).toMatchObject({
    name: 'Winter',
    longreach: { derivedFrom: '1', isCurrent: false },
  })
  expect(labelIn(JSON.stringify((await server.admin.dashboardDraft(of(id))).document)).label).toBe(
    'Zone 1',
  )
  const current = server.admin.deleteVersion(version('Summer'))
  await expect(current).rejects.toMatchObject({
    status: 409,
    code: 'dashboards.version_is_current',
  })
  await server.admin.makeVersionCurrent({ ...version('Winter'), body: {} })
  await server.admin.deleteVersion(version('Summer'))
  const renamed = await server.admin.updateVersion({ ...version('Winter'), body: { name: 'Cold' } })
  expect(renamed).toMatchObject({ name: 'Cold', longreach: { isCurrent: true } })
  const list = await server.admin.versions(of(id))
  expect(list.data.map(({ name, autosave }) => [name, autosave])).toEqual([
    ['DRAFT', true],
    ['Cold', undefined],
    ['1', undefined],
  ])
  const { changes } = await server.admin.versionDifference({
    params: { id, version: '1', other: 'DRAFT' },
    query,
  })
  expect(changes).toEqual([])
  const unknown = server.admin.version(version('none'))
  await expect(unknown).rejects.toMatchObject({ status: 404, details: { field: 'version' } })
})

test('[C-24] [E-12] [V-02] [A-03] people become readers and editors by name or list, and null takes both away', async () => {
  const { id } = await server.create('Shared')
  const { viewer, operator } = server.people
  await expect(server.as(viewer).dashboard(of(id))).rejects.toMatchObject({ status: 404 })
  const posted = [
    { name: 'vera', permission: 'r' as const },
    { name: 'oskar', permission: 'r/w' as const },
  ]
  expect(await server.admin.addReaders({ ...of(id), body: posted })).toEqual({
    readers: ['vera'],
    editors: ['oskar'],
  })
  expect(await server.as(viewer).dashboard(of(id))).toMatchObject({ longreach: { role: 'reader' } })
  const withMe = await server.as(operator).sharedDashboards({ query })
  expect(withMe.data.map((one) => one.id)).toEqual([id])
  // An editor is no reader, and the reverse.
  const one = { params: { id, user: 'oskar' }, query }
  expect(await server.admin.addReader({ ...one, body: {} })).toEqual({
    readers: ['oskar', 'vera'],
    editors: [],
  })
  const unknown = server.admin.addReaders({
    ...of(id),
    body: [{ name: 'nele' }, { name: 'nobody' }, { name: 'vera', permission: 'r/w' }],
  })
  await expect(unknown).rejects.toMatchObject({
    status: 422,
    code: 'dashboards.unknown_names',
    details: { names: ['nele', 'nobody'] },
  })
  const none = [
    { name: 'vera', permission: null },
    { name: 'oskar', permission: null },
  ]
  expect(await server.admin.addEditors({ ...of(id), body: none })).toEqual({
    readers: [],
    editors: [],
  })
  await expect(server.as(viewer).dashboard(of(id))).rejects.toMatchObject({ status: 404 })
  const own = server.admin.addReader({ params: { id, user: 'adam' }, query, body: {} })
  await expect(own).rejects.toMatchObject({ status: 422, code: 'dashboards.is_owner' })
})

test('names of people are taken with their realm too', async () => {
  const { id } = await server.create('Names')
  const one = { params: { id, user: 'Vera@nordwerk' }, query }
  expect(await server.admin.addReader({ ...one, body: {} })).toMatchObject({ readers: ['vera'] })
  expect(await server.admin.addEditor({ ...one, body: {} })).toMatchObject({ editors: ['vera'] })
  expect(await server.admin.removeEditor(one)).toEqual({ readers: [], editors: [] })
  await server.admin.addReader({ ...one, body: {} })
  expect(await server.admin.removeReader(one)).toEqual({ readers: [], editors: [] })
  for (const list of [
    'dashboards',
    'myDashboards',
    'sharedDashboards',
    'dashboardTrash',
  ] as const) {
    const [plain, long] = await Promise.all(
      ['adam', 'adam@nordwerk'].map((username) =>
        server.admin[list]({ query: { ...query, username } }),
      ),
    )
    expect(long).toEqual(plain)
    const other = await server.admin[list]({ query: { ...query, username: 'vera@nordwerk' } })
    expect(other.totalElements).toBe(0)
  }
})

test('[A-03] a reader looks, an editor changes, the owner shares and deletes', async () => {
  const emil = await server.addPerson('emil', 'app_service-engineer')
  const { id } = await server.create('Roles')
  const readers = [{ name: 'vera' }]
  await server.admin.addReaders({ ...of(id), body: readers })
  await server.admin.addEditors({ ...of(id), body: [{ name: 'emil' }] })
  const change = { base: 0, session: 'session-1', seq: 1, label: '', changes: [label('x')] }
  const viewer = server.as(server.people.viewer)
  for (const refused of [
    () => viewer.dashboardDraft(of(id)),
    () => viewer.changeDraft({ ...of(id), body: change }),
    () => viewer.updateDashboard({ ...of(id), body: { name: 'Mine' } }),
    () => viewer.createVersion({ ...of(id), body: {} }),
    () => viewer.restoreDraft({ ...of(id), body: { revision: 0 } }),
    () => viewer.draftHistory({ params: { id }, query }),
  ]) {
    await expect(refused()).rejects.toMatchObject({ status: 403, code: 'dashboards.not_editor' })
  }
  const editor = server.as(emil)
  await editor.updateDashboard({ ...of(id), body: { name: 'Edited' } })
  await editor.changeDraft({ ...of(id), body: change })
  for (const refused of [
    () => editor.addReaders({ ...of(id), body: readers }),
    () => viewer.removeReaders({ ...of(id), body: readers }),
  ]) {
    await expect(refused()).rejects.toMatchObject({ status: 403, code: 'dashboards.not_owner' })
  }
  await expect(editor.deleteDashboard(of(id))).rejects.toMatchObject({ status: 403 })
  const draft = viewer.dashboard({ params: { id }, query: { ...query, version: 'DRAFT' } })
  await expect(draft).rejects.toMatchObject({ status: 404 })
  await expect(viewer.createDashboard({ query, body: { name: 'x' } })).rejects.toMatchObject({
    status: 403,
  })
})

test('another organization sees nothing, whatever is asked and posted', async () => {
  const { id } = await server.create('Ours')
  await server.admin.addReaders({ ...of(id), body: [{ name: '*' }] })
  const { neighbour, foreigner } = server.people
  for (const [other, own] of [
    [neighbour, 'nordwerk.press'],
    [foreigner, 'acqua'],
  ] as const) {
    const calls = server.as(other)
    const asked = { params: { id }, query: { organization: own } }
    expect((await calls.dashboards({ query: asked.query })).totalElements).toBe(0)
    const version = { ...asked, params: { id, version: '1' } }
    const change = { base: 0, session: 'session-1', seq: 1, label: '', changes: [label('x')] }
    for (const one of [
      () => calls.dashboard(asked),
      () => calls.updateDashboard({ ...asked, body: { name: 'x' } }),
      () => calls.deleteDashboard(asked),
      () => calls.restoreDashboard({ ...asked, body: {} }),
      () => calls.deleteDashboardForever(asked),
      () => calls.versions(asked),
      () => calls.version(version),
      () => calls.createVersion({ ...asked, body: {} }),
      () => calls.updateVersion({ ...version, body: {} }),
      () => calls.deleteVersion(version),
      () => calls.makeVersionCurrent({ ...version, body: {} }),
      () => calls.deriveVersion({ ...version, body: {} }),
      () => calls.versionDifference({ ...asked, params: { id, version: '1', other: '1' } }),
      () => calls.readers(asked),
      () => calls.addReaders({ ...asked, body: [{ name: '*' }] }),
      () => calls.removeReaders({ ...asked, body: [{ name: '*' }] }),
      () => calls.dashboardDraft(asked),
      () => calls.changeDraft({ ...asked, body: change }),
      () => calls.draftHistory({ params: { id }, query: asked.query }),
      () => calls.restoreDraft({ ...asked, body: { revision: 0 } }),
      () => calls.createDashboard({ query: asked.query, body: { name: 'x', parentId: id } }),
    ]) {
      await expect(one()).rejects.toMatchObject({
        code: expect.stringMatching(/dashboards\.(not_found|no_such_parent)$/),
      })
    }
    await expect(calls.dashboard({ params: { id }, query })).rejects.toMatchObject({ status: 404 })
  }
})

test('a dashboard for all below is read there, and not changed', async () => {
  const owner = server.as(server.people.owner)
  const above = { organization: 'nordwerk' }
  const { id } = await owner.createDashboard({ query: above, body: { name: 'For dealers' } })
  const viewer = server.as(server.people.viewer)
  await expect(viewer.dashboard(of(id))).rejects.toMatchObject({ status: 404 })
  await owner.addReaders({ params: { id }, query: above, body: [{ name: '**' }] })
  expect(await viewer.dashboard(of(id))).toMatchObject({
    orgResourceId: 'nordwerk',
    longreach: { role: 'reader' },
  })
  expect(
    (await server.as(server.people.foreigner).dashboards({ query: { organization: 'acqua' } }))
      .totalElements,
  ).toBe(0)
  const change = server.admin.updateDashboard({ ...of(id), body: { name: 'Mine' } })
  await expect(change).rejects.toMatchObject({ status: 403 })
})

test('what is deleted lies in the trash with all its versions, and is restored or deleted for ever', async () => {
  const { id } = await server.create('Trash')
  await server.admin.addReaders({ ...of(id), body: [{ name: 'vera' }] })
  const early = server.admin.deleteDashboardForever(of(id))
  await expect(early).rejects.toMatchObject({ status: 409, code: 'dashboards.not_in_trash' })
  await server.admin.deleteDashboard(of(id))
  const trash = await server.admin.dashboardTrash({ query })
  expect(trash.data.find((one) => one.id === id)).toMatchObject({
    deleted: true,
    longreach: { deletedBy: 'adam' },
  })
  expect((await server.as(server.people.viewer).dashboardTrash({ query })).totalElements).toBe(0)
  const restored = await Promise.all([
    server.admin.restoreDashboard({ ...of(id), body: {} }),
    server.admin.restoreDashboard({ ...of(id), body: {} }),
  ])
  expect(restored).toMatchObject([
    { deleted: false, readers: ['vera'] },
    { deleted: false, readers: ['vera'] },
  ])
  expect((await server.admin.versions(of(id))).data).toHaveLength(2)
  await server.admin.deleteDashboard(of(id))
  await server.admin.deleteDashboardForever(of(id))
  const gone = server.admin.restoreDashboard({ ...of(id), body: {} })
  await expect(gone).rejects.toMatchObject({ status: 404 })
  const left = await server.db.selectFrom('draft').selectAll().where('item', '=', id).execute()
  expect(left).toEqual([])
})

test('the owner, readers and versions in a posted body change nothing', async () => {
  const body = {
    name: 'Owned',
    owner: 'vera',
    editors: ['vera'],
    orgResourceId: 'acqua',
    version: '9',
  }
  const made = await server.admin.createDashboard({ query, body })
  expect(made).toMatchObject({
    owner: 'adam',
    editors: [],
    orgResourceId: organization,
    version: '1',
  })
})

test('the schema of documents is published', async () => {
  const schema = await server.admin.dashboardSchema({})
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
})
