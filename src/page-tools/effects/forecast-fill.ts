// What a fill is predicted to do: to change values, or what an earlier attempt was stopped before.
import type { Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { ActionForecast } from '../../core/data/action.js'
import { isAbove } from '../../core/data/effect.js'

/** The forecast of `form_fill` and `form_undo`. */
export function forecastFill({ stopped }: { readonly stopped?: readonly StoppedEffect[] | undefined }): ActionForecast {
  const effect = (stopped ?? []).reduce<Effect>((most, one) => (isAbove(one.effect, most) ? one.effect : most), 'value')
  const site = stopped?.find((one) => one.site !== undefined)?.site
  return {
    effect,
    preview: { effect, ...(stopped ? { stopped } : {}), ...(site ? { site } : {}) },
    // Without the query, which may hold private values.
    from: `${location.origin}${location.pathname}`,
    hides: false,
  }
}
