import type { ComponentType } from 'react'
import type { Guarded, Needs } from '../access/access-rules.ts'
import type { JobService } from '../api/api.ts'
import type { StartPage } from '../look/start-page.ts'
import type { Language } from '../words/locale-rules.ts'

/** Query of the address as plain texts, never parsed as JSON. */
export type Search = Record<string, string | string[] | undefined>

/** Address of a page with the organization of the session; known before the session is. */
export type Asked = {
  /** resourceId of the organization. */
  org: string
  /** The organization with all below it, as calls name it. */
  reach: string
  params: Record<string, string>
  search: Search
}

/** Exports of a page's file. */
type PageModule = {
  Component: ComponentType
  /**
   * Starts the calls that the page needs first; their answers wait in the cache. Called as soon as the file is here and
   * the permissions of section and page are granted; a call that needs another permission does not belong here.
   */
  loader?: (asked: Asked) => void
}

export type Page = Partial<Guarded> & {
  /** From the root, with `$name` for a parameter: `/devices/$deviceId`. */
  path: `/${string}`
  load: () => Promise<PageModule>
}

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>

/** An area of the portal: the menu, the guards, /home and the palette read this and nothing else. */
export type Section = Guarded & {
  /** Name of its folder, of its words, and of the message `shell.section.{id}`. */
  id: string
  path: `/${string}`
  icon: Icon
  /** Text of `shell.section.{id}`: known before the words of its pages are loaded. */
  name: Record<Language, string>
  /** Group of the menu; absent: not in the menu. */
  group?: 'monitor' | 'connect' | 'administer'
  /** Place among the sections in menu and palette; tens, so that another one fits between two. */
  order?: number
  /**
   * Place in the order in which /home looks for a section that the person may enter: dashboards 10,
   * devices 20, vpn 30, device map 40, data explorer 50, alarms 60, organizations 70, people 80, roles 90,
   * dealer 100, store 110, walkthrough 120, notifications 130. Absent: /home does not lead there.
   */
  home?: number
  /** In an organization for remote access alone, /home leads there before everything. */
  homeForRemoteAccess?: true
  /** Preference that makes it the start page. */
  startPage?: StartPage
  /** Permissions to see it in the menu; absent: those to enter. Others reach it by links and the palette. */
  menu?: Needs
  /** Pressed after `g`, jumps here. */
  key?: string
  /** Shown behind its name in the menu, for people with the permissions of `menu`; loaded after the first page. */
  badge?: ComponentType
  /** Files of words that its pages use beside its own. */
  words?: readonly string[]
  /** Services that do the long work which its pages start; the top bar shows the person's jobs there. */
  jobs?: readonly JobService[]
  pages: readonly Page[]
}

/** The files of words that the pages of a section need. */
export const pageWords = ({ id, words = [] }: Section) => [id, ...words, 'charts', 'live']
