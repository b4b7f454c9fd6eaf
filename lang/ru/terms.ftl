# Слова, из которых складываются предложения.

white = белые
    .gen = белых
    .dat = белым
    .acc = белых
    .ins = белыми
black = чёрные
    .gen = чёрных
    .dat = чёрным
    .acc = чёрных
    .ins = чёрными

king = король
    .gen = короля
    .acc = короля
    .ins = королём
    .gender = m
queen = ферзь
    .gen = ферзя
    .acc = ферзя
    .ins = ферзём
    .gender = m
rook = ладья
    .gen = ладьи
    .acc = ладью
    .ins = ладьёй
    .gender = f
bishop = слон
    .gen = слона
    .acc = слона
    .ins = слоном
    .gender = m
knight = конь
    .gen = коня
    .acc = коня
    .ins = конём
    .gender = m
pawn = пешка
    .gen = пешки
    .acc = пешку
    .ins = пешкой
    .gender = f

hours = { $n ->
    [one] { $n } час
    [few] { $n } часа
   *[other] { $n } часов
}
    .gen = { $n ->
        [one] { $n } часа
       *[other] { $n } часов
    }
minutes = { $n ->
    [one] { $n } минута
    [few] { $n } минуты
   *[other] { $n } минут
}
    .acc = { $n ->
        [one] { $n } минуту
        [few] { $n } минуты
       *[other] { $n } минут
    }
    .gen = { $n ->
        [one] { $n } минуты
       *[other] { $n } минут
    }
seconds = { $n ->
    [one] { $n } секунда
    [few] { $n } секунды
   *[other] { $n } секунд
}
    .acc = { $n ->
        [one] { $n } секунду
        [few] { $n } секунды
       *[other] { $n } секунд
    }
    .gen = { $n ->
        [one] { $n } секунды
       *[other] { $n } секунд
    }
seconds-and-parts = { $n } секунды
decimal-point = ,

list-and = { $first } и { $last }

date = { $day } { $month } { $year } года
month-1 = января
month-2 = февраля
month-3 = марта
month-4 = апреля
month-5 = мая
month-6 = июня
month-7 = июля
month-8 = августа
month-9 = сентября
month-10 = октября
month-11 = ноября
month-12 = декабря

guidelines = Рекомендации
title-of = { $kind } ({ $by })
kind-illegal-move = невозможный ход
kind-flag = падение флажка
kind-default = опоздание сверх допустимого
kind-claim-threefold = требование ничьей: троекратное повторение
kind-claim-fifty-moves = требование ничьей: пятьдесят ходов
kind-claim-flag = заявление о падении флажка
kind-claim-illegal-move = заявление о невозможном ходе
kind-claim-quickplay = требование ничьей по Рекомендациям III
kind-call = вызов арбитра
kind-board-disagrees = доска расходится с записью
kind-promotion = превращение: фигура неизвестна
kind-illegal-position = невозможная позиция
kind-colours-reversed = перепутан цвет фигур
kind-wrong-setup = неверная начальная расстановка
kind-wrong-clock = неверная установка часов
kind-device = электронное устройство
kind-result-signal = результат показан за столом
kind-late-news = запоздавшее сообщение
kind-adjusted-at-table = время изменено на часах
kind-reports-lost = потеряны сообщения
kind-clock-time = часы идут неверно
kind-silent-device = нет связи с устройством
kind-clock-renewed = часы заменены или включены заново
kind-order-unknown = порядок хода и переключения часов неизвестен
kind-moves-missing = не хватает ходов
kind-by-hand = партия ведётся вручную

ending-checkmate = мат
ending-stalemate = пат
ending-dead-position = мёртвая позиция
ending-flag = просрочка времени
ending-flag-no-mate = просрочка времени, но соперник не может поставить мат никакой серией возможных ходов
ending-illegal-moves = второй невозможный ход
ending-illegal-moves-no-mate = второй невозможный ход, но соперник не может поставить мат никакой серией возможных ходов
ending-threefold = троекратное повторение позиции
ending-fivefold = пятикратное повторение позиции
ending-fifty-moves = правило 50 ходов
ending-seventy-five-moves = правило 75 ходов
ending-agreement = соглашение соперников
ending-resignation = сдача партии
ending-resignation-no-mate = сдача партии, но соперник не может поставить мат никакой серией возможных ходов
ending-default = неявка
ending-impossible-position = невозможная позиция не исправлена
ending-device = электронное устройство
ending-penalty = наказание
ending-arbiter = решение арбитра

category-standard = классические шахматы
category-rapid = быстрые шахматы
category-blitz = блиц
