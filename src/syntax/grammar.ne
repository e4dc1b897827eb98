# One top-level declaration. Tokens come from lexer.ts, the declaration is cut out by cut.ts.
#
# Every rule is left-recursive and none is empty: that keeps nearley linear. Lists are linked backwards
# (`push`), because nearley may complete a rule more than once and a shared array would then hold an item twice.
# The rules build a plain tree (tree.ts); construct.ts turns it into the AST.

@preprocessor esmodule

@{%
import * as tree from '../syntax/tree.ts';
const token = type => ({ type });
const at = token('at'), inherit = token('inherit'), use = token('use'), extend = token('extend');
const override = token('override'), header = token('header'), name = token('name'), word = token('word');
const range = token('range'), string = token('string'), text = token('text'), reference = token('reference');
const version = token('version'), segment = token('segment'), as = token('as'), into = token('into');
const lbrace = token('lbrace'), rbrace = token('rbrace'), lbracket = token('lbracket'), rbracket = token('rbracket');
const lparen = token('lparen'), rparen = token('rparen'), colon = token('colon'), comma = token('comma');
const equals = token('equals'), question = token('question'), bang = token('bang'), dash = token('dash');
const dot = token('dot');
%}

declaration -> %at body                       {% tree.block %}
             | %inherit source                {% tree.inherit %}
             | use                            {% id %}
             | %extend path body              {% tree.extend %}
             | %override path body            {% tree.override %}
             | %override path %lbrace single %rbrace {% tree.overrideValue %}

use -> %use source                                   {% tree.use %}
     | %use source %as %name                         {% tree.use %}
     | %use source %into %string                     {% tree.use %}
     | %use source %as %name %into %string           {% tree.use %}
     | %use source %into %string %as %name           {% tree.use %}

source -> %reference                          {% tree.source %}
        | %reference arguments                {% tree.source %}
        | %string                             {% tree.source %}
        | %string arguments                   {% tree.source %}
        | %string %version                    {% tree.source %}
        | %string %version arguments          {% tree.source %}

arguments -> %lparen %rparen                  {% tree.nothing %}
           | %lparen argument_list %rparen    {% tree.second %}
           | %lparen argument_list %comma %rparen {% tree.second %}
argument_list -> argument                     {% tree.first %}
               | argument_list argument       {% tree.push %}
               | argument_list %comma argument {% tree.push %}
argument -> %name %colon value                {% tree.argument %}

path -> path_segment                          {% tree.first %}
      | path %dot path_segment                {% tree.push %}
path_segment -> %segment                      {% id %}
              | %string                       {% id %}

body -> %lbrace %rbrace                       {% tree.body %}
      | %lbrace items %rbrace                 {% tree.body %}
      | %lbrace items %comma %rbrace          {% tree.body %}
items -> item                                 {% tree.first %}
       | items item                           {% tree.push %}
       | items %comma item                    {% tree.push %}
item -> field                                 {% id %}
      | %string                               {% tree.textItem %}
      | %text                                 {% tree.textItem %}
      | %dash value                           {% tree.listItem %}
      | %header %string                       {% tree.headerItem %}
      | %header %name %string                 {% tree.headerItem %}
      | use                                   {% id %}

field -> key %colon value                     {% tree.field %}
       | key %colon value %equals value       {% tree.field %}
       | key %colon call                      {% tree.field %}
       | key %colon call %equals value        {% tree.field %}
       | key %bang %colon value               {% tree.markedField %}
       | key %question %colon value           {% tree.markedField %}
       | key %question %colon value %equals value {% tree.markedField %}
       | key %question %colon call            {% tree.markedField %}
       | key %question %colon call %equals value {% tree.markedField %}
key -> %name                                  {% id %}
     | %string                                {% id %}

call -> %name %lparen values %rparen          {% tree.call %}
      | %name %lparen values %comma %rparen   {% tree.call %}
      | %name %lparen %range %rparen          {% tree.rangeCall %}

value -> %string                              {% id %}
       | %name                                {% id %}
       | %text                                {% id %}
       | collection                           {% id %}
       | %word                                {% id %}
collection -> %lbracket %rbracket             {% tree.array %}
            | %lbracket values %rbracket      {% tree.array %}
            | %lbracket values %comma %rbracket {% tree.array %}
            | %lbrace %rbrace                 {% tree.object %}
            | %lbrace fields %rbrace          {% tree.object %}
            | %lbrace fields %comma %rbrace   {% tree.object %}
values -> value                               {% tree.first %}
        | values value                        {% tree.push %}
        | values %comma value                 {% tree.push %}
fields -> field                               {% tree.first %}
        | fields field                        {% tree.push %}
        | fields %comma field                 {% tree.push %}

# What `@override` may hold instead of a body. A lone string is a body of one text, construct.ts takes it as a value.
single -> %name                               {% id %}
        | %word                               {% id %}
        | collection                          {% id %}
