// Reads an object as its class defines it. The markup of a page can put elements over the properties of documents and
// forms: after `<img name="title">`, `document.title` is the image.

/** The object without the elements that cover its properties. Methods are bound to it. */
export function unclobbered<T extends object>(target: T): T {
  return new Proxy<T>(Object.getPrototypeOf(target) as T, {
    get(type, name) {
      let value: unknown = Reflect.get(target, name)
      // An element or a list of elements is never a primitive; some elements are functions.
      if (Object(value) === value && name in type) value = Reflect.get(type, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
    set: (type, name, value) => Reflect.set(type, name, value, target),
  })
}
