/// <reference types="vite/client" />
import type { Section } from './parts/pages/section.ts'

const found = import.meta.glob<Section>('./sections/*/section.ts', {
  eager: true,
  import: 'section',
})

const last = Number.MAX_SAFE_INTEGER

/** Every section of the portal, in the order of the menu: one for each folder with a `section.ts`. */
export const sections: readonly Section[] = Object.values(found).toSorted(
  (one, other) => (one.order ?? last) - (other.order ?? last),
)
