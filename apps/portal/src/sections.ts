import type { Section } from './lib/section.ts'
import { dataExploreSection } from './sections/data-explore/section.ts'
import { devicesSection } from './sections/devices/section.ts'

/** Every section of the portal, in the order of the menu. */
export const sections: readonly Section[] = [devicesSection, dataExploreSection]
