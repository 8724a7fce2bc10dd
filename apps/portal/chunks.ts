import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChunkingContext } from 'rolldown'
import { listPages } from './section-bundles.ts'

/** Files that load together: what these begin with, and all that it needs, as one file instead of dozens. */
type Stage = {
  name: string
  from: readonly string[]
  /** Only what these need too; the rest stays where the bundler puts it. */
  sharedWith?: readonly string[]
}

const portal = import.meta.dirname
// In a copy of the sources the packages may be links: the bundler knows them by their real place.
const modules = dirname(realpathSync(join(portal, '../../node_modules/react')))
const app = (...names: string[]) => names.map((name) => join(portal, 'src/app', name))
const part = (...names: string[]) => names.map((name) => join(portal, 'src/parts', name))
const page = (...names: string[]) => names.map((name) => join(portal, 'src/sections', name))

const mantine = (...names: string[]) =>
  names.map((name) => join(modules, `@mantine/core/esm/components/${name}/${name}.mjs`))

const menus = app('shell/TopBarMenus.tsx')
const devices = page('devices/list/DevicesPage.tsx')
const device = page('devices/page/DevicePage.tsx')
const explorer = page('data-explore/ExplorePage.tsx')
const organizations = page('organizations/OrganizationsPage.tsx')
const mails = page('mails/MailsPage.tsx', 'log/FailedNotificationsPage.tsx')
const lists = page(...listPages)

// In the order in which they load: what an earlier one brings is not in a later one.
const stages: readonly Stage[] = [
  {
    name: 'start',
    // With what icons are made of: the sections, which have some, need no more than this.
    from: [
      ...app('start/begin.ts'),
      join(modules, 'react/index.js'),
      join(modules, '@tabler/icons-react/dist/esm/createReactComponent.mjs'),
    ],
  },
  { name: 'base', from: app('start/draw.tsx', 'start/Providers.tsx') },
  {
    name: 'door',
    from: app('sign-in/SignIn.tsx'),
    sharedWith: [...app('start/Portal.tsx', 'sign-in/SetupPage.tsx'), ...devices, ...organizations],
  },
  { name: 'sections', from: [...app('start/ahead.ts'), ...part('words/word-files.ts')] },
  {
    name: 'portal',
    from: app(
      'start/Portal.tsx',
      'session/session-in.ts',
      'session/kept-language.ts',
      'session/kept-start-page.ts',
    ),
  },
  // Parts that several larger chunks need: a page that needs one of these chunks loads no other with it.
  {
    name: 'small',
    from: [
      ...mantine('Tabs', 'TextInput', 'Checkbox'),
      join(modules, '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'),
    ],
    sharedWith: [...menus, ...devices],
  },
  // Menus and selects place themselves by what a tooltip needs.
  { name: 'floating', from: mantine('Tooltip'), sharedWith: menus },
  { name: 'page', from: devices, sharedWith: organizations },
  // Values and states of devices; a page of one device has no table.
  { name: 'live', from: device, sharedWith: devices },
  { name: 'list', from: devices, sharedWith: lists },
  { name: 'devices', from: devices },
  {
    name: 'calls',
    from: part('api/core-client.ts', 'api/mappings-client.ts', 'api/platform-client.ts'),
  },
  // Menus and boxes of lists and of the explorer's chart: neither device nor explorer begins with one.
  {
    name: 'forms',
    from: page('permission/PeoplePage.tsx'),
    sharedWith: page('data-explore/ExplorePanel.tsx'),
  },
  // What device and explorer have in common with lists, then with each other.
  {
    name: 'panes',
    from: [...device, ...explorer],
    sharedWith: [...organizations, ...lists, ...mails],
  },
  // The chart of a device comes later and has this in common with the explorer.
  { name: 'range', from: [join(portal, '../../packages/ui/src/TimeRangePicker.tsx')] },
  { name: 'values', from: device, sharedWith: explorer },
  { name: 'device', from: device },
  { name: 'explorer', from: explorer },
  // Several pages and dialogs have a choice of few values; none of them needs the explorer.
  { name: 'choice', from: mantine('SegmentedControl') },
  { name: 'explored', from: page('data-explore/ExplorePanel.tsx') },
  { name: 'menus', from: menus },
]

/** A group of the bundler for each stage; an earlier one takes its modules first. */
export function stageGroups() {
  let known: Map<string, string> | undefined
  return stages.map(({ name }, at) => ({
    debugName: name,
    name: (id: string, context: ChunkingContext) => {
      known ??= stagesOfModules(context)
      return known.get(id) === name ? name : null
    },
    priority: stages.length - at,
  }))
}

function stagesOfModules(context: ChunkingContext) {
  const known = new Map<string, string>()
  for (const { name, from, sharedWith = from } of stages) {
    const shared = reached(context, sharedWith)
    for (const id of reached(context, from)) {
      // A page stays a file of its own, by which it is known.
      if (shared.has(id) && !known.has(id) && !/\/\w+Page\.tsx$/.test(id)) known.set(id, name)
    }
  }
  return known
}

/** All that these modules import, and they themselves. */
function reached(context: ChunkingContext, from: readonly string[]) {
  const found = new Set<string>()
  const open = [...from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const module = context.getModuleInfo(id)
    if (module === null && from.includes(id)) throw new Error(`The build has no ${id}`)
    // What a barrel names and nobody uses is not there.
    if (module === null || found.has(id)) continue
    found.add(id)
    open.push(...module.importedIds)
  }
  return found
}
