import type { ComponentType } from 'react'
import type { Guarded, Needs } from '../access/access-rules.ts'

/** What the address bar holds after `?`: plain texts, never parsed as JSON. */
export type Search = Record<string, string | string[] | undefined>
type PageArgs = { params: Record<string, string>; search: Search }

/** A page's address and the organizations that its calls name, known before the session is. */
export type Ahead = PageArgs & { org: string }

/** What a page's file exports: its component, and what must be loaded before it shows. */
export type PageModule = {
  Component: ComponentType
  loader?: (args: PageArgs) => Promise<unknown>
  /** Calls that begin before the page may be drawn; their answers wait in the cache. */
  ahead?: (args: Ahead) => void
}

export type Page = Partial<Guarded> & {
  /** From the root, with `$name` for a parameter: `/devices/$deviceId`. */
  path: `/${string}`
  load: () => Promise<PageModule>
}

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>

/** A part of the portal: the menu, the guards, /home and the palette read this and nothing else. */
export type Section = Guarded & {
  /** Its name in the specification's lists, and of its words; the menu shows the message `shell.section.{id}`. */
  id: string
  /** Its name in the order of /home, where that is another. */
  homeId?: string
  path: `/${string}`
  icon: Icon
  /** Where it stands in the menu; absent: reached from elsewhere. */
  group?: 'monitor' | 'connect' | 'administer'
  /** Who finds it in the menu; absent: whoever may enter. Others reach it by links and the palette. */
  menu?: Needs
  /** Pressed after `g`, jumps here. */
  key?: string
  /** Files of words that its pages use beside its own. */
  words?: readonly string[]
  pages: readonly Page[]
}

/** The files of words that the pages of a section need. */
export const pageWords = ({ id, words = [] }: Section) => [id, ...words, 'charts', 'live']
