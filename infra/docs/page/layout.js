import { anchorOf, arriveAt, nameInAddress } from './navigation.js';
/** @import { Component, Plugin, Props, Renderer } from './renderer.d.ts' */

/** The colours of code. The empty style keeps the renderer from painting a background of its own. */
const palette = {
  hljs: {},
  'hljs-attr': { color: 'var(--get)' },
  'hljs-string': { color: 'var(--post)' },
  'hljs-number': { color: 'var(--number)' },
  'hljs-literal': { color: 'var(--number)' },
};

/**
 * Draws the renderer's parts the page's way: one button for each operation, folded answers, a label for each field.
 * @param {Renderer} system
 * @returns {Plugin}
 */
export function layoutPlugin(system) {
  /** @param {Parameters<Renderer['React']['createElement']>} parts */
  const h = (...parts) => system.React.createElement(...parts);
  /** @param {Parameters<Renderer['getComponent']>} name */
  const part = (...name) => system.getComponent(...name);
  /** @type {Component} */
  const Fold = ({ title, children, initiallyOpen }) => {
    const [open, setOpen] = system.React.useState(initiallyOpen);
    /** @param {{ readonly currentTarget: HTMLDetailsElement }} event */
    const onToggle = ({ currentTarget }) => setOpen(currentTarget.open);
    // What is folded is not drawn: most examples and schemas are never looked at, and the renderer draws slowly.
    return h('details', { open, onToggle }, h('summary', null, title), open && children);
  };
  /** @param {unknown} title @param {unknown} content */
  const fold = (title, content, initiallyOpen = false) => h(Fold, { title, initiallyOpen }, content);
  /** @param {(props: Props) => string} text @returns {(original: Component) => Component} */
  const labelled = (text) => (Original) => (props) =>
    h('label', { className: 'labelled' }, h('span', { className: 'for-readers' }, text(props)), h(Original, props));

  return {
    components: {
      ReferenceLayout: () => {
        system.React.useEffect(() => arriveAt('guide'), []);
        const title = h('h2', null, 'How to integrate');
        const source = system.specSelectors.specJson().getIn(['info', 'description']);
        const guide = h(part('Markdown', true), { source });
        return h('div', null, h(part('operations', true)), h('section', { id: 'guide' }, title, guide));
      },

      OperationTag: ({ tag, tagObj, children }) => {
        const description = tagObj.getIn(['tagDetails', 'description']);
        return h('section', { className: 'tag' }, h('h2', null, tag), h('p', null, description), children);
      },

      OperationSummary: ({ operationProps, isShown, toggleShown }) => {
        const { tag, operationId, method, path, summary, op } = operationProps.toObject();
        const anchor = anchorOf(tag, operationId);
        const complete = isShown && op.size > 0;
        system.React.useEffect(() => {
          if (complete) arriveAt(anchor);
        }, [complete]);
        const onClick = () => {
          if (!isShown) nameInAddress(anchor);
          toggleShown();
        };
        const badge = h('span', { className: `method ${method}` }, method);
        const text = h('span', { className: 'summary' }, summary);
        const button = { type: 'button', 'aria-expanded': isShown, onClick };
        const content = h('button', button, badge, text, h('code', null, path));
        return h('h3', { id: anchor, className: 'operation-title' }, content);
      },

      TryItOutButton: ({ hasUserEditedBody, onResetClick }) =>
        hasUserEditedBody && h('button', { type: 'button', className: 'reset', onClick: onResetClick }, 'Reset'),

      liveResponse: ({ response, specSelectors, path, method }) => {
        const { status, statusText, message, duration, text = '', headers = {} } = response.toJS();
        const good = status !== undefined && status < 400;
        const badge = h('b', { className: good ? 'status' : 'status bad' }, status ?? 'No answer');
        const time = duration && h('small', null, `${duration} ms`);
        const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
        const curl = h(part('curl', true), { request: specSelectors.mutatedRequestFor(path, method) });
        return h(
          'section',
          { className: 'answer', 'aria-label': 'Answer' },
          h('h4', null, badge, status ? statusText : message, time),
          h(part('responseBody'), { content: text, contentType: headers['content-type'], getComponent: part }),
          fold('Headers', h('pre', null, headerLines)),
          fold('The same call with curl', curl),
        );
      },

      // Everything is JSON: there is nothing to choose.
      contentType: () => null,
    },

    wrapComponents: {
      SyntaxHighlighter: (Original) => (props) =>
        h(Original, { ...props, syntaxHighlighting: { defaultStyle: palette } }),

      JsonSchemaForm: labelled(({ description }) => description),

      RequestBodyEditor: labelled(() => 'Request body'),

      ExamplesSelect: (Original) => (props) => {
        const select = h(Original, { ...props, showLabels: false });
        return h('label', { className: 'examples', hidden: props.examples.size < 2 }, 'Example ', select);
      },

      headers: (Original) => (props) => (props.headers ? fold('Headers', h(Original, props)) : null),

      response: (Original) => (props) => {
        const { code, response } = props;
        const table = h('table', null, h('tbody', null, h(Original, props)));
        const title = [h('b', { key: 'code' }, code), response.get('description')];
        return h('tr', null, h('td', { colSpan: 3 }, fold(title, table, code.startsWith('2'))));
      },
    },
  };
}
