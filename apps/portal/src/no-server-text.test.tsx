import { IconCpu } from '@tabler/icons-react'
import type { ComponentProps, ComponentType } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from './parts/api/queries.ts'
import type { Language } from './parts/words/locale-rules.ts'
import type { Section } from './parts/pages/section.ts'
import { desktop, openPortal } from './page-testing.tsx'
import { SavedViewDialog } from './parts/saved-views/SavedViewDialog.tsx'
import { VersionDialog } from './sections/agreements-admin/VersionDialog.tsx'
import { CommentDialog } from './sections/data-explore/CommentDialog.tsx'
import { useAlarmViews } from './sections/alarms/views/alarm-views.ts'
import { GroupNameDialog } from './sections/device-groups/GroupNameDialog.tsx'
import { AddDeviceDialog } from './sections/devices/bring-in/AddDeviceDialog.tsx'
import { RestoreDialog } from './sections/devices/list/RestoreDialog.tsx'
import { CommentForm } from './sections/devices/page/CommentForm.tsx'
import { SegmentDialog } from './sections/devices/list/SegmentDialog.tsx'
import { NewOrganizationDialog } from './sections/organizations/NewOrganizationDialog.tsx'
import { AddPersonDialog } from './sections/permission/AddPersonDialog.tsx'
import { GroupForm } from './sections/permission/GroupForm.tsx'
import { NewGroupDialog } from './sections/permission/NewGroupDialog.tsx'
import { NewRoleDialog } from './sections/roles/NewRoleDialog.tsx'
import { section as devicesSection } from './sections/devices/section.ts'

const none = () => undefined
const NewView = () => (
  <SavedViewDialog views={useAlarmViews('open')} view={undefined} onClose={none} />
)
/** Fields of a device that its form reads. */
const oven = { deviceId: 'oven', label: 'Oven 1' } as unknown as ComponentProps<
  typeof RestoreDialog
>['device']
const group = { id: 1, name: 'Night', rolesId: [], policiesId: [] } as unknown as ComponentProps<
  typeof GroupForm
>['group']
const forms: Record<string, ComponentType> = {
  role: () => <NewRoleDialog onClose={none} />,
  group: () => <NewGroupDialog onClose={none} />,
  person: () => <AddPersonDialog service={false} onClose={none} />,
  'service account': () => <AddPersonDialog service onClose={none} />,
  device: () => <AddDeviceDialog onClose={none} />,
  'device that comes back': () => <RestoreDialog device={oven} onClose={none} />,
  'group that is edited': () => (
    <div role="dialog">
      <GroupForm group={group} />
    </div>
  ),
  'device group': () => <GroupNameDialog onClose={none} onDone={none} />,
  organization: () => <NewOrganizationDialog parent="nordwerk" onClose={none} onMade={none} />,
  segment: () => <SegmentDialog content={{ question: {} }} onClose={none} onSaved={none} />,
  comment: () => (
    <div role="dialog">
      <CommentForm deviceId="oven" zone="UTC" onClose={none} />
    </div>
  ),
  view: NewView,
  agreement: () => <VersionDialog onClose={none} onMade={none} />,
}

const canary = 'Too small: expected string to have >=1 CANARY'
const named = [
  'name',
  'label',
  'text',
  'note',
  'username',
  'email',
  'user.email',
  'defaultName',
  'texts',
]
const emptyPage = {
  content: [],
  number: 0,
  totalElements: 0,
  totalPages: 0,
  last: true,
  size: 50,
  numberOfElements: 0,
  first: true,
  empty: true,
  page: 0,
  pageSize: 50,
  next: null,
}
const { fetch: before } = globalThis

/** A server that refuses whatever is sent, with sentences that nobody may see. */
const refusing: typeof globalThis.fetch = async (_, init) => {
  if ((init?.method ?? 'GET') === 'GET') return Response.json(emptyPage)
  const fields = named.map((field) => ({ field, message: canary, rule: 'long', limit: 7 }))
  const details = { message: canary, part: 'body', fields, request: 'req-4711' }
  const body = { error: 'Bad Request', code: 'request.invalid', message: canary, details }
  return Response.json({ statusCode: 400, ...body }, { status: 400 })
}
beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  globalThis.fetch = refusing
})
afterEach(() => {
  globalThis.fetch = before
})

const sectionOf = (Component: ComponentType): Section => ({
  id: 'devices',
  name: devicesSection.name,
  path: '/devices',
  icon: IconCpu,
  permissions: [],
  words: [
    'roles',
    'permission',
    'access',
    'device-groups',
    'organizations',
    'agreements-admin',
    'agreements',
    'devices',
    'data-explore',
    'saved-views',
    'alarm-views',
    'device-page',
    'charts',
  ],
  pages: [{ path: '/devices', load: async () => ({ Component }) }],
})

const told: Partial<Record<Language, RegExp>> = { en: /At most 7/, de: /Höchstens 7/ }
const cases = Object.keys(forms).flatMap((form) =>
  (['en', 'de'] as const).map((language) => [form, language] as const),
)

test.for(cases)(
  'a refusal of the form for a %s is told in words of %s, never in those of the server [V-03 in part]',
  async ([form, language]) => {
    const Form = forms[form] as ComponentType
    await openPortal('/devices', { sections: [sectionOf(Form)], language })
    await expect.element(page.getByRole('dialog')).toBeVisible()
    const boxes = page.getByRole('dialog').getByRole('textbox')
    await expect.poll(() => boxes.elements().length).toBeGreaterThan(0)
    for (const box of boxes.all()) {
      const { readOnly, type } = box.element() as HTMLInputElement
      // A time takes no such text: it would be empty then, and is required.
      if (!readOnly && type !== 'datetime-local') await box.fill('mara@nordwerk.example')
    }
    const submit = document.querySelector<HTMLButtonElement>('[role=dialog] form [type=submit]')
    submit?.click()
    await expect.element(page.getByText(told[language] as RegExp).first()).toBeVisible()
    expect(document.body.textContent).not.toContain('CANARY')
    expect(
      boxes.all().some((box) => (box.element() as HTMLInputElement).value.includes('mara')),
    ).toBe(true)
  },
)

test('a comment without a text says so at its field, and is not sent [V-03 in part]', async () => {
  const sent: unknown[] = []
  globalThis.fetch = async (input, init) => {
    const asksOnly = (init?.method ?? 'GET') === 'GET' || String(input).includes('/alarms/list')
    if (!asksOnly) sent.push(input)
    return refusing(input, { method: 'GET' })
  }
  const Form = () => (
    <CommentDialog
      comment={undefined}
      span={{ from: 0, to: 60_000 }}
      devices={['oven']}
      zone="UTC"
      onClose={none}
    />
  )
  await openPortal('/devices', { sections: [sectionOf(Form)] })
  await expect.element(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
  document.querySelector<HTMLButtonElement>('[role=dialog] form [type=submit]')?.click()
  await expect.element(page.getByText('Required.')).toBeVisible()
  expect(sent).toEqual([])
})
