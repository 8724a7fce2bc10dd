import { IconLayoutDashboard } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'overview',
  path: '/overview',
  icon: IconLayoutDashboard,
  name: {
    en: 'Overview',
    de: 'Übersicht',
    es: 'Resumen',
    fr: 'Vue d’ensemble',
    it: 'Panoramica',
  },
  group: 'monitor',
  order: 10,
  startPage: 'OVERVIEW',
  key: 'h',
  permissions: [['devices:read', 'users:read', 'organizations:read']],
  pages: [{ path: '/overview', load: () => import('./OverviewPage.tsx') }],
}
