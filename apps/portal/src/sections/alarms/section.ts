import { late } from '@longreach/ui/late'
import { IconBellRinging } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/alarms': AlarmSearch
    '/alarms/alarms-history': AlarmSearch & { range?: string }
    '/alarms/shelved': { shelf?: string; kind?: string }
    '/alarms/rules': { model?: string; device?: string }
    '/alarms/rules/$ruleId': { tab?: string; delay?: string; band?: string }
    '/alarms/report': { period?: string; at?: string }
  }
}

type AlarmSearch = { severity?: string; q?: string; device?: string; rule?: string; alarm?: string }

export const section: Section = {
  id: 'alarms',
  path: '/alarms',
  icon: IconBellRinging,
  name: {
    en: 'Alarms',
    de: 'Alarme',
    es: 'Alarmas',
    fr: 'Alarmes',
    it: 'Allarmi',
  },
  group: 'monitor',
  order: 45,
  home: 60,
  key: 'a',
  feature: 'iot',
  permissions: [['devices:read']],
  menu: [['alarms:read']],
  jobs: ['alarms'],
  badge: late(
    () => withWords(import('../../parts/alarms/AlarmBadge.tsx'), 'alarm-sound'),
    'AlarmBadge',
  ),
  words: ['alarm', 'alarm-acts', 'alarm-shelves', 'alarm-sound', 'alarm-views', 'saved-views'],
  pages: [
    { path: '/alarms', load: () => import('./AlarmsPage.tsx') },
    {
      path: '/alarms/alarms-history',
      permissions: [['alarms:read']],
      load: () => import('./HistoryPage.tsx'),
    },
    {
      path: '/alarms/shelved',
      permissions: [['alarms:read']],
      load: () => import('./ShelvedPage.tsx'),
    },
    {
      path: '/alarms/rules',
      permissions: [['alarms:read']],
      load: () =>
        withWords(
          import('./rules/RulesPage.tsx'),
          'rule-tools',
          'rule-places',
          'alarm-rules',
          'problems',
        ),
    },
    {
      path: '/alarms/rules/new',
      permissions: [['alarms:create']],
      load: () =>
        withWords(
          import('./rules/NewRulePage.tsx'),
          'alarm-rules',
          'rule-tools',
          'rule-places',
          'problems',
        ),
    },
    {
      path: '/alarms/rules/$ruleId',
      permissions: [['alarms:read']],
      load: () =>
        withWords(
          import('./rules/RulePage.tsx'),
          'rule-places',
          'alarm-rules',
          'rule-tools',
          'problems',
        ),
    },
    {
      path: '/alarms/report',
      permissions: [['alarms:read']],
      load: () => withWords(import('./report/ReportPage.tsx'), 'alarm-report'),
    },
  ],
}

/** Of alarms, what other sections show too: loaded when it is shown. */
export const alarmParts = {
  deviceTab: () =>
    withWords(
      import('./device/DeviceAlarmsTab.tsx'),
      'device-alarms',
      'alarms',
      'alarm',
      'alarm-acts',
      'alarm-rules',
      'rule-tools',
      'rule-places',
    ),
}
